// The statistics of `align --json` and `--html`, counted record by record.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "align/pair/insert_size_core.hpp"
#include "align/report/align_counts.hpp"
#include "align/report/aligned_record.hpp"
#include "align/report/coverage_map.hpp"
#include "align/report/error_profile.hpp"
#include "align/report/long_read_counts.hpp"
#include "align/report/read_profile.hpp"

namespace warpseed::align {

/// Distances of the pairs of one read group.
struct InsertSizeCounts {
  using Sizes = std::map<std::int64_t, std::uint64_t>;

  std::uint64_t pairs = 0;  // all of the group
  // By the second mate's orientation seen from the first:
  std::array<Sizes, orientation_count> sizes;                   // |TLEN| of proper pairs -> how many
  std::array<std::uint64_t, orientation_count> orientations{};  // pairs in one contig

  Sizes all_sizes() const;
  InsertSizeCounts& operator+=(const InsertSizeCounts& other);

  /// All sums, for ValueWriter and ValueReader.
  template <class Self, class Values>
  static void for_each_value(Self& self, Values& values) {
    values(self.pairs, self.sizes, self.orientations);
  }
};

/// Holds only sums, so the result does not depend on which thread counted what. Threads: one object per thread; those
/// of several threads are added up.
class AlignStatistics {
 public:
  /// in_detail: everything; otherwise only `counts` and `long_reads`, at no cost. coverage: adds the records to it,
  /// if it is not null; it must outlive the statistics.
  explicit AlignStatistics(bool in_detail, CoverageMap* coverage = nullptr)
      : window_bases(coverage ? coverage->window_count() : 0), in_detail_(in_detail), coverage_(coverage) {}

  void add_read(const reads::ReadView& read, const ReadRecords& records);
  void add_pair(const reads::ReadView& first, const reads::ReadView& second, const ReadRecords& records1,
                const ReadRecords& records2);

  /// A pair whose mates are mapped and have one record each.
  void add_plain_pair(const reads::ReadView& first, const reads::ReadView& second, const ChoicePair& choices,
                      const bam1_t& record1, const bam1_t& record2);
  AlignStatistics& operator+=(const AlignStatistics& other);

  /// All sums but those of the coverage, for ValueWriter and ValueReader.
  template <class Self, class Values>
  static void for_each_value(Self& self, Values& values) {
    values(self.counts, self.long_reads, self.mapping_qualities, self.insert_sizes, self.ends, self.profiles,
           self.long_profile);
  }

  AlignCounts counts;
  LongReadCounts long_reads;                           // single reads of more than longest_short_read bases
  std::array<std::uint64_t, 256> mapping_qualities{};  // of mapped reads
  std::vector<InsertSizeCounts> insert_sizes;          // by read group number
  std::array<ErrorProfile, 2> ends;         // of first mates and single reads that are not long; of second mates
  std::array<ReadProfile, 2> profiles;      // the same, mapped or not
  ReadProfile long_profile;                 // of long reads, without qualities
  std::vector<std::uint64_t> window_bases;  // aligned bases of primary and supplementary records by coverage window

 private:
  void add_pair_details(const reads::ReadView& first, const reads::ReadView& second, const AlignedRecord& primary1,
                        const AlignedRecord& primary2);
  void add_details(const reads::ReadView& read, const AlignedRecord& primary, ErrorProfile& profile);
  void add_coverage(const ReadRecords& records);

  bool in_detail_;
  CoverageMap* coverage_;
};

}  // namespace warpseed::align
