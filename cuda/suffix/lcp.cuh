// The LCP array of a suffix array on the device.
#pragma once

#include <cstdint>

#include "core/buffer.cuh"
#include "core/stage_done.hpp"
#include "suffix/device_text.cuh"

namespace warpseed::suffix::cuda {

/// Implements suffix/lcp.hpp for rows on the device: result[row] for every row, [text.size()], including the rows of
/// separators and of the end of a text of bytes (0 each). Queued on the stream, not waited for.
///
/// suffixes: [text.size()] the array that sort_rows() passes in one piece.
/// Memory:   8 bytes per symbol, 4 of them the result, and little that hardly grows with the text.
/// done:     called with "first bases", "long ones" and "those that follow".
Buffer<std::uint32_t> lcp_array(const DeviceText& text, const Buffer<std::uint32_t>& suffixes, const Stream& stream,
                                const StageDone& done = {});

}  // namespace warpseed::suffix::cuda
