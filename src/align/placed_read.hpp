// A read on its way through the stages of alignment: its codes on both strands, and where it lies.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "align/alignment.hpp"
#include "align/diagonal_core.hpp"
#include "reads/alignment_record.hpp"

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

/// A read as codes 0..4 and packed, as it came and turned to the other strand. To be assigned before anything is asked.
class TurnedRead {
 public:
  /// Takes memory of its own.
  void assign(std::string_view letters);

  /// In memory of memory_words(letters.size()) words, which must outlive it.
  void assign(std::string_view letters, std::uint64_t* memory);
  static constexpr std::uint64_t memory_words(std::uint64_t length) {
    return 4 * packed_words(length) + (2 * length + 7) / 8;
  }

  std::uint32_t length() const { return length_; }
  const std::uint8_t* codes(bool turned) const {
    return reinterpret_cast<const std::uint8_t*>(memory() + word_count()) + (turned ? length_ : 0);
  }
  PackedRead packed(bool turned) const { return packed_orientation(memory(), length_, turned); }

  /// See packed_orientation().
  std::span<const std::uint64_t> words() const { return {memory(), word_count()}; }

 private:
  std::uint64_t word_count() const { return 4 * packed_words(length_); }

  const std::uint64_t* memory() const { return outside_ ? outside_ : own_.data(); }

  std::uint32_t length_ = 0;
  const std::uint64_t* outside_ = nullptr;  // words, then codes; null: in own_
  std::vector<std::uint64_t> own_;
};

/// The path of an alignment with gaps from its first to its last base.
struct GappedPath {
  std::uint32_t alignment = 0;      // its number among the read's
  std::vector<CigarElement> cigar;  // M, I and D, as the programme of traceback_core.hpp finds them
};

/// All places of a read, ranked and their competitors marked.
struct PlacedRead {
  TurnedRead read;
  ReadTraits traits;
  std::vector<Alignment> alignments;
  std::vector<GappedPath> gapped;  // those paths that are known beforehand; most reads have none

  /// The path of alignments[i]; empty if it is not known.
  std::span<const CigarElement> known_path(std::size_t i) const {
    for (const GappedPath& path : gapped) {
      if (path.alignment == i) return path.cigar;
    }
    return {};
  }
};

}  // namespace warpseed
