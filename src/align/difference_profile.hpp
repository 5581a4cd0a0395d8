// Where in the reads they differ from the genome.
#pragma once

#include <cstdint>
#include <vector>

#include "reads/alignment_record.hpp"
#include "reads/read_batch.hpp"

namespace warpseed {

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

/// Threads: one a profile; profiles of several threads are added up.
class DifferenceProfile {
 public:
  /// Takes a mapped record that shows the whole read (no hard clips), by its CIGAR and MD.
  void add(const AlignmentRecord& record, const ReadView& read);
  DifferenceProfile& operator+=(const DifferenceProfile& other);

  /// By position in the read, from 0; as many as the longest read has letters.
  const std::vector<PositionCounts>& positions() const { return positions_; }

 private:
  void add_cigar(const AlignmentRecord& record, std::uint32_t length);
  void add_aligned(const AlignmentRecord& record, const ReadView& read);

  std::vector<PositionCounts> positions_;
  std::vector<std::uint32_t> aligned_;  // of the record at hand: positions of its aligned bases, in the genome's order
};

}  // namespace warpseed
