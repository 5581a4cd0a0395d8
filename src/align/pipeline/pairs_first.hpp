// The order of a batch's reads for the backends, which align pairs and single reads apart: pairs precede single reads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace warpseed::align {

/// Maps reads, numbered as in the input, to their slots: those of mates, 2i and 2i + 1, then those of single reads,
/// both in input order. Cost: a binary search among the single reads of a batch that has both.
class PairsFirst {
 public:
  /// paired: all of `reads` are mates, each with the next, but `singles`, ascending. Otherwise all are single.
  void assign(std::uint64_t reads, bool paired, std::span<const std::uint64_t> singles) {
    paired_reads_ = paired ? reads - singles.size() : 0;
    singles_.clear();
    if (paired_reads_ > 0) singles_.assign(singles.begin(), singles.end());
  }

  /// Slots [0, paired_reads()) are those of mates.
  std::uint64_t paired_reads() const { return paired_reads_; }

  std::uint64_t slot_of(std::uint64_t read) const {
    if (paired_reads_ == 0) return read;
    const std::uint64_t before = singles_before(read);
    const bool single = before < singles_.size() && singles_[before] == read;
    return single ? paired_reads_ + before : read - before;
  }

  /// The number of mates in pairs that begin before the read.
  std::uint64_t mates_before(std::uint64_t read) const {
    if (paired_reads_ == 0) return 0;
    const std::uint64_t mates = read - singles_before(read);
    return mates + mates % 2;
  }

  /// The read, or the next one if it is a second mate: work is divided so that mates stay together.
  std::uint64_t not_between_mates(std::uint64_t read) const {
    if (paired_reads_ == 0) return read;
    return read + (read - singles_before(read)) % 2;
  }

 private:
  std::uint64_t singles_before(std::uint64_t read) const {
    return static_cast<std::uint64_t>(std::lower_bound(singles_.begin(), singles_.end(), read) - singles_.begin());
  }

  std::uint64_t paired_reads_ = 0;
  std::vector<std::uint64_t> singles_;  // among pairs
};

}  // namespace warpseed::align
