// Counts of long reads for the summary and the report of `align`.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "align/record/record_builder.hpp"

namespace warpseed::align {

/// Holds only sums, so the result does not depend on the order of additions.
struct LongReadCounts {
  std::uint64_t reads = 0, bases = 0;
  std::uint64_t mapped_reads = 0;
  std::uint64_t mapped_bases = 0;  // of reads, in primary and supplementary records, inserted ones included
  std::map<std::uint64_t, std::uint64_t> lengths;  // bases of a read -> how many
  std::array<std::uint64_t, 101> identities{};     // of primary records, by equal bases in 100 columns, rounded down

  void add(std::uint64_t length, const ReadRecords& records);
  LongReadCounts& operator+=(const LongReadCounts& other);

  /// All sums, for ValueWriter and ValueReader.
  template <class Self, class Values>
  static void for_each_value(Self& self, Values& values) {
    values(self.reads, self.bases, self.mapped_reads, self.mapped_bases, self.lengths, self.identities);
  }

  /// Half of all bases are in reads of at least this many; 0 without reads.
  std::uint64_t n50() const;
};

/// "long reads: 2000 with 30.1 Mb, N50 16,842 bases; 99.98% of their bases mapped".
std::string long_read_summary(const LongReadCounts& counts);

}  // namespace warpseed::align
