// Synthetic strings for bench_string_sort, generated on the device: each is a function of its number.
#pragma once

#include <cstdint>

#include "core/buffer.cuh"
#include "sort/string_sort_core.hpp"

namespace warpseed::bench {

/// Strings on the device; `reads` as bytes or packed, depending on Text.
template <class Text>
struct DeviceStrings {
  cuda::Buffer<std::uint64_t> words, offsets;
  std::uint64_t symbols = 0;

  sort::Strings<Text> view() const;
};

enum class Input { random, words, paths, reads, amplicons };

DeviceStrings<sort::ByteView> make_bytes(Input input, std::uint64_t count, const cuda::Stream& stream);
DeviceStrings<text::PackedView> make_packed_reads(std::uint64_t count, const cuda::Stream& stream);

}  // namespace warpseed::bench
