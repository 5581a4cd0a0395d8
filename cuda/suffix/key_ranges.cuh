// Which member of a team sorts a suffix: the one whose range has the suffix's key.
#pragma once

#include <cstdint>
#include <vector>

#include "core/device_team.cuh"
#include "suffix/key_layout.cuh"
#include "suffix/slots.hpp"

namespace warpseed::suffix::cuda {

/// The keys of one member. Only the bits of KeyLayout::mask() count.
struct KeyRange {
  std::uint64_t first = 0, last = ~std::uint64_t{0};
  bool is_empty = false;

  __host__ __device__ bool is_all() const { return !is_empty && first == 0 && last == ~std::uint64_t{0}; }
  __host__ __device__ bool has(std::uint64_t masked_key) const {
    return !is_empty && masked_key >= first && masked_key <= last;
  }
};

/// Divides the keys so that every member has about as many suffixes, as far as keys differ.
class KeyRanges {
 public:
  /// Takes the quantiles of a sample of keys, which is the same for every member. For the only member of a team: all
  /// keys, without a sample.
  template <class Slots>
  KeyRanges(const DeviceText& text, const Slots& slots, const KeyLayout& layout, const TeamMember& member);

  KeyRange of(unsigned member) const;

  /// Whether no member has many more suffixes than team_share() gives, according to the sample.
  bool are_even() const { return largest_share_ <= 1.0 / static_cast<double>(begins_.size()) + 1.0 / 128; }

  /// The first key of each member, ascending: a range is empty if the next one begins with the same key.
  const std::vector<std::uint64_t>& begins() const { return begins_; }

 private:
  std::vector<std::uint64_t> begins_;
  double largest_share_ = 1;
};

}  // namespace warpseed::suffix::cuda
