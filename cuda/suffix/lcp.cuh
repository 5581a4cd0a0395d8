// The LCP array of a suffix array that is on the device already.
#pragma once

#include <cstdint>

#include "core/buffer.cuh"
#include "core/stage_done.hpp"
#include "suffix/device_text.cuh"

namespace warpseed::suffix::cuda {

/// suffix/lcp.hpp for rows on the device: result[row] for every row, [text.size()], separators' rows and the row of a
/// text of bytes' end included (0 each). Queued on the stream, not waited for.
///
/// suffixes: [text.size()] the array as sort_rows() hands it over at once.
/// Memory:   8 bytes a symbol, 4 of them the result, and little that hardly grows with the text.
/// done:     told "first bases", "long ones" and "those that follow".
Buffer<std::uint32_t> lcp_array(const DeviceText& text, const Buffer<std::uint32_t>& suffixes, const Stream& stream,
                                const StageDone& done = {});

}  // namespace warpseed::suffix::cuda
