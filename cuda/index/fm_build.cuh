// The FM-index out of a suffix array, both on the device.
#pragma once

#include "index/device_index.cuh"
#include "suffix/device_text.cuh"

namespace warpseed::cuda {

/// The device twin of fm_index_from() (index/fm_index.hpp): the same index, queued on the stream except for the
/// superblocks' counts, which are added up on the host.
///
/// suffixes: [text.size()], at least one. segments: of the text.
DeviceIndex fm_index_on_device(const DeviceText& text, const Buffer<std::uint32_t>& suffixes, std::uint64_t segments,
                               std::uint32_t sample_step, const Stream& stream);

}  // namespace warpseed::cuda
