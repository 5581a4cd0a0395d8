// Depth along the genome in windows, and the bases that at least one read covers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "align/report/aligned_record.hpp"
#include "core/zero_pages.hpp"
#include "text/genome_core.hpp"

namespace warpseed::align {

/// Part [begin, end) of a contig.
struct CoverageWindow {
  std::uint32_t contig = 0;
  std::uint64_t begin = 0, end = 0;
  std::uint64_t known_bases = 0;    // of the window that are not N
  std::uint64_t aligned_bases = 0;  // of reads
  std::uint64_t covered_bases = 0;  // known ones with at least one of the aligned

  CoverageWindow& operator+=(const CoverageWindow& other) {
    known_bases += other.known_bases, aligned_bases += other.aligned_bases, covered_bases += other.covered_bases;
    return *this;
  }
};

/// Memory: an eighth of a byte per base of the genome, as far as reads align there. Cost: some nanoseconds and one or
/// two cache misses per run of aligned bases. The result does not depend on the order of additions.
class CoverageMap {
 public:
  /// Windows have the same size in all contigs, the last one of each apart: 1, 2 or 5 times a power of ten, the
  /// smallest of which there are at most `most_windows`, or at most half as many and one per contig.
  /// `genome` must outlive the map.
  explicit CoverageMap(const text::GenomeView& genome, std::uint64_t most_windows = 2000);

  /// Adds the aligned bases (M, = and X) of a mapped record, which ends within its contig. aligned_bases:
  /// [window_count()], sums of the caller's. Threads: any, each with its own sums.
  void add(const AlignedRecord& record, std::span<std::uint64_t> aligned_bases) {
    add(record.contig, record.position, record.cigar, aligned_bases);
  }
  void add(std::int32_t contig_number, std::int64_t position, std::span<const records::CigarElement> cigar,
           std::span<std::uint64_t> aligned_bases);

  std::uint64_t window_bases() const { return window_bases_; }
  std::uint64_t window_count() const { return first_windows_.back(); }
  std::uint64_t contig_count() const { return genome_.contig_count(); }
  std::uint64_t genome_bases() const { return genome_.contig_begins[contig_count()]; }  // N included

  /// All windows, by contig and position. aligned_bases: [window_count()], the sums of all threads; empty for none.
  std::vector<CoverageWindow> windows(std::span<const std::uint64_t> aligned_bases) const;

 private:
  void cover(GenomePos begin, GenomePos end);
  std::uint64_t count_covered(GenomePos begin, GenomePos end) const;

  const text::GenomeView genome_;
  std::uint64_t window_bases_ = 1;
  std::vector<std::uint64_t> first_windows_;  // [contigs + 1]
  ZeroedArray<std::uint64_t> covered_;        // a bit per genome position
};

/// The sums of each contig's windows, as one window; by contig.
std::vector<CoverageWindow> by_contig(std::span<const CoverageWindow> windows);

}  // namespace warpseed::align
