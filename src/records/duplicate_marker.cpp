#include "records/duplicate_marker.hpp"

#include <algorithm>
#include <vector>

namespace warpseed::records {

namespace {

/// A record of a pair has its pair's claim, and one to its end if any read is single.
std::vector<DuplicateKey> claims_of(std::span<bam1_t* const> records) {
  const bool has_singles = std::any_of(records.begin(), records.end(),
                                       [](const bam1_t* record) { return takes_part(record) && !is_of_pair(record); });
  std::vector<DuplicateKey> claims;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (!takes_part(records[i])) continue;
    const auto order = static_cast<std::uint32_t>(i);
    if (is_of_pair(records[i])) claims.push_back(pair_claim(records[i], order));
    if (has_singles) claims.push_back(single_end_claim(records[i], order));
  }
  return claims;
}

}  // namespace

void mark_duplicates(std::span<bam1_t* const> records, std::size_t begin, std::size_t end) {
  std::vector<DuplicateKey> claims = claims_of(records);
  std::sort(claims.begin(), claims.end(), comes_before);
  for (std::size_t i = 1; i < claims.size(); ++i) {
    const DuplicateKey& claim = claims[i];
    const bool marks = begin <= claim.order && claim.order < end;
    if (marks && claim.loses() && claim.same_as(claims[i - 1])) claim.record->core.flag |= BAM_FDUP;
  }
}

std::vector<LibraryDuplicates> mark_range(SortedRecords& records, const LibraryTable& libraries) {
  mark_duplicates(records.sorted, records.begin, records.end);
  std::vector<LibraryDuplicates> counts = libraries.empty_counts();
  for (const bam1_t* record : records.of_range()) counts[libraries.of(record)].count(record);
  return counts;
}

void add_counts(const std::vector<LibraryDuplicates>& more, std::vector<LibraryDuplicates>& counts) {
  for (std::size_t i = 0; i < more.size(); ++i) counts[i] += more[i];
}

}  // namespace warpseed::records
