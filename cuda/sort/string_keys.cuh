// The keys of a round: each string's group number, then its next symbols in as few bits as they need.
#pragma once

#include <array>
#include <cstdint>

#include "core/buffer.cuh"
#include "sort/string_sort_core.hpp"

namespace warpseed::sort::cuda {

/// The strings of a round, ordered by group; owns nothing. Null pointers: string i in slot i, one group, depth 0.
struct SlotsView {
  const std::uint32_t* strings = nullptr;  // [count]
  const std::uint32_t* groups = nullptr;   // [count] not decreasing
  const std::uint32_t* depths = nullptr;   // [groups] symbols that a group's strings share
  std::uint64_t count = 0;

  __device__ std::uint32_t string(std::uint64_t slot) const {
    return strings == nullptr ? static_cast<std::uint32_t>(slot) : strings[slot];
  }
  __device__ std::uint32_t group(std::uint64_t slot) const { return groups == nullptr ? 0 : groups[slot]; }
  __device__ std::uint32_t depth(std::uint32_t group) const { return depths == nullptr ? 0 : depths[group]; }
};

/// Findings of key construction.
struct KeyFindings {
  std::uint64_t varying = 0;         // bits in which some key differs from the first slot's
  std::uint32_t unforeseen[8] = {};  // bytes without a code
};

/// Statistics of a sample of the strings.
struct StringStatistics {
  static constexpr unsigned sample = 2048;  // strings, sorted by one block
  std::uint32_t letters[8] = {};            // bytes that occur, one bit each
  std::uint32_t alike[33] = {};  // pairs of neighbours in the sorted sample that share at least this many symbols
  std::uint32_t uneven = 0;      // 1: not all strings have the first one's length and are contiguous
  std::uint64_t origin = 0, stride = 0;  // begin and length of the first string
};

/// Builds keys: group << shape.bits() | key_of(string). Codes of bytes are ranks among the bytes that a sample of the
/// strings contains; if others occur, they are added and the keys built again. The first keys take as many symbols as
/// the sample says distinguish most strings, since every 8 bits cost a pass over all of them.
template <class Text>
class KeyMaker {
 public:
  KeyMaker(const Strings<Text>& strings, const Stream& stream);

  struct Made {
    KeyShape shape;
    std::uint64_t varying = 0;
  };
  /// The strings, with a stride if they have one.
  const Strings<Text>& strings() const { return strings_; }

  /// keys: [slots.count]. group_bits: width of group numbers. Waits for the findings.
  Made make(const SlotsView& slots, unsigned group_bits, std::uint64_t* keys, const Stream& stream);

 private:
  KeyShape shape_for(unsigned bits) const;
  KeyShape first_shape() const;
  void survey(const Stream& stream);

  Strings<Text> strings_;
  std::array<bool, 256> seen_ = {};
  double bits_a_symbol_ = 0;  // information of the first symbols; 0: unknown
  Buffer<KeyFindings> findings_;
};

}  // namespace warpseed::sort::cuda
