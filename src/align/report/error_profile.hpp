// Differences between reads and genome by position in the read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "align/report/aligned_record.hpp"
#include "reads/read_batch.hpp"

namespace warpseed::align {

/// Counts of mapped reads at one position of the read as sequenced.
struct PositionCounts {
  std::uint64_t reads = 0;         // reads that reach this position
  std::uint64_t aligned = 0;       // bases aligned to a genome base, neither being N
  std::uint64_t mismatches = 0;    // of the aligned
  std::uint64_t inserted = 0;      // bases missing in the genome
  std::uint64_t deletions = 0;     // gaps of any length between this base and the next
  std::uint64_t soft_clipped = 0;  // bases

  PositionCounts& operator+=(const PositionCounts& other);

  /// For ValueWriter and ValueReader.
  template <class Self, class Values>
  static void for_each_value(Self& self, Values& values) {
    values(self.reads, self.aligned, self.mismatches, self.inserted, self.deletions, self.soft_clipped);
  }
};

/// Cost: linear in CIGAR and MD, not in the read's length, if all bases are ACGT. Threads: one profile per thread;
/// profiles of several threads are added up.
class ErrorProfile {
 public:
  /// Adds a mapped record with the whole read (no hard clips), from its CIGAR and MD.
  void add(const AlignedRecord& record, const reads::ReadView& read);
  ErrorProfile& operator+=(const ErrorProfile& other);

  /// All sums, for ValueWriter and ValueReader.
  template <class Self, class Values>
  static void for_each_value(Self& self, Values& values) {
    values(self.changes_);
  }

  /// By 0-based position in the read; the size is the longest read's length.
  std::vector<PositionCounts> positions() const;

 private:
  /// A run of consecutive aligned bases.
  struct AlignedRun {
    std::size_t first_base;     // among all aligned bases, in genome order
    std::uint32_t begin, size;  // in the record's SEQ
  };
  using Counter = std::uint64_t PositionCounts::*;

  void count(Counter counter, std::uint32_t begin, std::uint32_t end);
  void uncount(Counter counter, std::uint32_t position);
  void add_cigar(const AlignedRecord& record, std::uint32_t length);
  void leave_out_unknown(std::string_view bases, bool reverse);
  void add_mismatches(const AlignedRecord& record, std::string_view bases);

  std::vector<PositionCounts> changes_;  // difference from the previous position, modulo 2^64; one more than positions
  std::vector<AlignedRun> runs_;         // of the current record
};

}  // namespace warpseed::align
