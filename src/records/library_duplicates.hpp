// Duplicates by library, LB of @RG: for each what Picard's MarkDuplicates reports of it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "records/duplicate_counts.hpp"

struct bam1_t;  // htslib

namespace warpseed::records {

/// The library of reads without a read group, and of read groups without LB: Picard's name for it.
constexpr std::string_view unknown_library = "Unknown Library";

/// Each record is counted once: as unmapped, secondary or supplementary, failed, or compared.
struct LibraryDuplicates {
  std::string library = {};
  DuplicateCounts compared = {};
  std::uint64_t unmapped = 0;
  std::uint64_t non_primary = 0;  // secondary and supplementary records
  std::uint64_t qc_failed = 0;    // mapped reads that failed the filters (flag 0x200)

  /// Adds a record with this flag.
  void count(std::uint16_t flag);

  /// Adds the mark of a compared record that was counted before it was marked.
  void count_marked(std::uint16_t flag);

  /// Adds the counts of the same library.
  LibraryDuplicates& operator+=(const LibraryDuplicates& other);

  /// Pairs of two compared mates. Half of the reads, rounded down: the mate may have failed the filters.
  std::uint64_t pairs() const { return compared.of_pairs / 2; }
  std::uint64_t pair_duplicates() const { return compared.of_pairs_marked / 2; }

  /// Fragments in the library, by pairs() and pair_duplicates(); see estimate_library_size().
  std::optional<std::uint64_t> estimated_size() const;
};

/// The number X of fragments in a library of which `pairs` read pairs were drawn, of which `distinct` are no duplicates.
/// Drawing from X equally frequent fragments leaves any of them out with probability exp(-pairs / X), so that
/// distinct = X (1 - exp(-pairs / X)) are expected. None without duplicates, where X has no upper bound, or without
/// distinct pairs.
/// Source: Lander and Waterman, Genomics 2, 1988, for the probability.
std::optional<std::uint64_t> estimate_library_size(std::uint64_t pairs, std::uint64_t distinct);

/// What marking counted; all counts are 0 without it.
struct DuplicateSummary {
  DuplicateCounts all = {};
  std::vector<LibraryDuplicates> libraries = {};  // in the order of the header
};

/// The libraries of a header, and which one a record is of.
class LibraryTable {
 public:
  /// read_group_lines: as in SamHeader.
  explicit LibraryTable(const std::vector<std::string>& read_group_lines = {});

  /// Counts of 0 for each library, in the order of the header; unknown_library is among them.
  std::vector<LibraryDuplicates> empty_counts() const;

  bool has_several() const { return names_.size() > 1; }

  /// The index of a record's library in empty_counts(), by its tag RG.
  std::size_t of(const bam1_t* record) const;

  /// The counts, of which unknown_library's are left out if no record and no read group is of it and there are others.
  DuplicateSummary summary(std::vector<LibraryDuplicates> counts) const;

 private:
  std::vector<std::string> names_;
  std::map<std::string, std::size_t, std::less<>> by_read_group_;
  std::size_t unknown_ = 0;
  bool unknown_in_header_ = false;  // a read group has no LB
};

}  // namespace warpseed::records
