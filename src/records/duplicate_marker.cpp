#include "records/duplicate_marker.hpp"

#include <algorithm>
#include <vector>

#include "core/prefetch.hpp"
#include "records/key_sort.hpp"
#include "records/record_order.hpp"

namespace warpseed::records {

namespace {

/// Marks records [begin, end) whose claim is not the best of its equals, if it is one that loses.
void mark(std::vector<DuplicateKey>& claims, std::size_t begin, std::size_t end) {
  std::sort(claims.begin(), claims.end(), comes_before);
  for (std::size_t i = 1; i < claims.size(); ++i) {
    const DuplicateKey& claim = claims[i];
    const bool marks = begin <= claim.order && claim.order < end;
    if (marks && claim.loses() && claim.same_as(claims[i - 1])) claim.record->core.flag |= BAM_FDUP;
  }
}

/// The claims of records with one 5' end: those of pairs on two strands, and all to that end if any read is single.
void add_claims(std::span<bam1_t* const> records, std::span<const NumberedKey> group,
                std::vector<DuplicateKey>& claims) {
  const auto is_single = [&](const NumberedKey& each) { return !is_of_pair(records[each.number]); };
  const bool has_singles = std::any_of(group.begin(), group.end(), is_single);
  for (const NumberedKey& each : group) {
    bam1_t* const record = records[each.number];
    if (is_of_pair(record) && !is_on_strand_of_mate(record)) claims.push_back(pair_claim(record, each.number));
    if (has_singles) claims.push_back(single_end_claim(record, each.number));
  }
}

/// Those up to RG are rarely longer.
void prefetch_tags(const bam1_t& record) {
  constexpr int line = 64;
  prefetch(bam_get_aux(&record)), prefetch(bam_get_aux(&record) + line);
}

}  // namespace

/// Most records share their 5' end with no other. Claims are made of those that do, and of pairs on one strand.
void mark_duplicates(std::span<bam1_t* const> records, std::size_t begin, std::size_t end) {
  std::vector<NumberedKey> keys, scratch;
  keys.reserve(records.size());
  std::vector<DuplicateKey> claims;
  for (std::uint32_t i = 0; i < records.size(); ++i) {
    prefetch_after(records, i, [](const bam1_t& record) { prefetch(bam_get_cigar(&record)); });
    if (!takes_part(records[i])) continue;
    keys.push_back({five_prime_key(records[i]), i});
    if (is_on_strand_of_mate(records[i])) claims.push_back(pair_claim(records[i], i));
  }
  mark(claims, begin, end);
  sort_by_key(keys, scratch);
  for (std::size_t first = 0, past = 0; first < keys.size(); first = past) {
    while (past < keys.size() && keys[past].key == keys[first].key) ++past;
    if (past - first == 1) continue;
    claims.clear();
    add_claims(records, std::span(keys).subspan(first, past - first), claims);
    mark(claims, begin, end);
  }
}

std::vector<LibraryDuplicates> mark_range(SortedRecords& records, const LibraryTable& libraries) {
  mark_duplicates(records.sorted, records.begin, records.end);
  std::vector<LibraryDuplicates> counts = libraries.empty_counts();
  const std::span<bam1_t* const> of_range = records.of_range();
  for (std::size_t i = 0; i < of_range.size(); ++i) {
    prefetch_after(of_range, i, prefetch_tags);
    counts[libraries.of(of_range[i])].count(of_range[i]);
  }
  return counts;
}

void add_counts(const std::vector<LibraryDuplicates>& more, std::vector<LibraryDuplicates>& counts) {
  for (std::size_t i = 0; i < more.size(); ++i) counts[i] += more[i];
}

}  // namespace warpseed::records
