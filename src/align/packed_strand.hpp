// A read in one orientation, packed like the text.
#pragma once

#include <cstdint>

#include "core/host_device.hpp"
#include "text/genome_core.hpp"

namespace warpseed::align {

/// Bases with a mask of the Ns. Owns nothing.
struct PackedStrand {
  text::PackedView bases;    // an N holds 0
  text::PackedView unknown;  // 1 at an N, 0 elsewhere

  WS_HD std::uint32_t length() const { return static_cast<std::uint32_t>(bases.size); }
};

/// The number of words in one of a read's four packed parts: one is padding, as PackedView requires.
WS_HD constexpr std::uint64_t packed_words(std::uint64_t length) {
  return length / 32 + 2;
}

/// One orientation of a read. Its four parts are contiguous: forward bases, forward unknown, reverse bases, reverse
/// unknown.
WS_HD inline PackedStrand packed_strand(const std::uint64_t* words, std::uint32_t length, bool reverse) {
  const std::uint64_t* first = words + (reverse ? 2 * packed_words(length) : 0);
  return {{first, length}, {first + packed_words(length), length}};
}

}  // namespace warpseed::align
