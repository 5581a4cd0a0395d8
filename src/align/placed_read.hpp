// A read on its way through the stages of alignment: its codes on both strands, and where it lies.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "align/alignment.hpp"
#include "align/diagonal_core.hpp"

namespace warpseed {

/// A read as codes 0..4, as it came and turned to the other strand.
struct TurnedRead {
  std::vector<std::uint8_t> forward, reverse;
  std::vector<std::uint64_t> words;  // forward bases, forward unknown, reverse bases, reverse unknown

  void assign(std::string_view letters);
  std::uint32_t length() const { return static_cast<std::uint32_t>(forward.size()); }
  const std::uint8_t* codes(bool turned) const { return (turned ? reverse : forward).data(); }
  PackedRead packed(bool turned) const;

 private:
  std::size_t packed_size() const { return forward.size() / 32 + 2; }
};

/// All places of a read, ranked and their competitors marked.
struct PlacedRead {
  TurnedRead read;
  ReadTraits traits;
  std::vector<Alignment> alignments;
};

}  // namespace warpseed
