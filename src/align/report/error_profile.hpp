// Where in the reads they differ from the genome.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "reads/read_batch.hpp"
#include "records/alignment_record.hpp"

namespace warpseed::align {

/// Counts of mapped reads at one position of the read, as the sequencer made it.
struct PositionCounts {
  std::uint64_t reads = 0;         // that are so long
  std::uint64_t aligned = 0;       // bases on a base of the genome, N on neither side
  std::uint64_t mismatches = 0;    // of the aligned
  std::uint64_t inserted = 0;      // bases that the genome does not have
  std::uint64_t deletions = 0;     // gaps of any length between this base and the next
  std::uint64_t soft_clipped = 0;  // bases

  PositionCounts& operator+=(const PositionCounts& other);
};

/// Cost: by CIGAR and MD, not by the read's length, where all letters are ACGT.
/// Threads: one a profile; profiles of several threads are added up.
class ErrorProfile {
 public:
  /// Takes a mapped record that shows the whole read (no hard clips), by its CIGAR and MD.
  void add(const records::AlignmentRecord& record, const reads::ReadView& read);
  ErrorProfile& operator+=(const ErrorProfile& other);

  /// By position in the read, from 0; as many as the longest read has letters.
  std::vector<PositionCounts> positions() const;

 private:
  /// Bases that are aligned one after the other.
  struct RunResult {
    std::size_t first_base;     // of all aligned bases, in the genome's order
    std::uint32_t begin, size;  // in the record's SEQ
  };
  using Counter = std::uint64_t PositionCounts::*;

  void count(Counter counter, std::uint32_t begin, std::uint32_t end);
  void uncount(Counter counter, std::uint32_t position);
  void add_cigar(const records::AlignmentRecord& record, std::uint32_t length);
  void leave_out_unknown(std::string_view bases, bool reverse);
  void add_mismatches(const records::AlignmentRecord& record, std::string_view bases);

  std::vector<PositionCounts> changes_;  // from the position before, modulo 2^64; one more than there are positions
  std::vector<RunResult> runs_;          // of the record at hand
};

}  // namespace warpseed::align
