// A read on its way through the stages of alignment: its codes on both strands, and where it lies.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "align/alignment.hpp"
#include "align/diagonal_core.hpp"

namespace warpseed {

/// The words that one of a read's four packed parts takes: one to spare, as PackedView asks for.
WS_HD constexpr std::uint64_t packed_words(std::uint64_t length) {
  return length / 32 + 2;
}

/// One orientation of a read whose four parts stand one after the other: forward bases, forward unknown, reverse bases,
/// reverse unknown.
WS_HD inline PackedRead packed_orientation(const std::uint64_t* words, std::uint32_t length, bool turned) {
  const std::uint64_t* first = words + (turned ? 2 * packed_words(length) : 0);
  return {{first, length}, {first + packed_words(length), length}};
}

/// A read as codes 0..4, as it came and turned to the other strand.
struct TurnedRead {
  std::vector<std::uint8_t> forward, reverse;
  std::vector<std::uint64_t> words;  // see packed_orientation()

  void assign(std::string_view letters);
  std::uint32_t length() const { return static_cast<std::uint32_t>(forward.size()); }
  const std::uint8_t* codes(bool turned) const { return (turned ? reverse : forward).data(); }
  PackedRead packed(bool turned) const { return packed_orientation(words.data(), length(), turned); }
};

/// All places of a read, ranked and their competitors marked.
struct PlacedRead {
  TurnedRead read;
  ReadTraits traits;
  std::vector<Alignment> alignments;
};

}  // namespace warpseed
