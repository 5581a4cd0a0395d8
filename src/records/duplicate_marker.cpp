#include "records/duplicate_marker.hpp"

#include <algorithm>
#include <vector>

#include "core/prefetch.hpp"
#include "records/record_order.hpp"

namespace warpseed::records {

namespace {

/// The claims of records with one 5' end: those of pairs on two strands, and all to that end if any read is single.
void add_claims(std::span<bam1_t* const> records, std::span<const NumberedKey> group,
                HugePageVector<DuplicateKey>& claims) {
  const auto is_single = [&](const NumberedKey& each) { return !is_of_pair(records[each.number]->core.flag); };
  const bool has_singles = std::any_of(group.begin(), group.end(), is_single);
  for (const NumberedKey& each : group) {
    bam1_t* const record = records[each.number];
    const std::uint16_t flag = record->core.flag;
    if (is_of_pair(flag) && !is_on_strand_of_mate(flag)) claims.push_back(pair_claim(record, each.number));
    if (has_singles) claims.push_back(single_end_claim(record, each.number));
  }
}

/// As mark_duplicates(). A record is counted by its flag before, and once more when it is marked: most records are never
/// read here.
class Marking {
 public:
  Marking(const RecordsToMark& all, const LibraryTable& libraries, MarkingMemory& memory)
      : records_(all.records),
        facts_(all.facts),
        begin_(all.begin),
        end_(all.end),
        libraries_(libraries),
        counts_(libraries.empty_counts()),
        ends_(memory.ends),
        claims_(memory.claims) {
    ends_.keys.clear(), claims_.clear();
  }

  std::vector<LibraryDuplicates> run() {
    read();
    mark();
    ends_.sort();
    const std::span<const NumberedKey> keys = ends_.keys;
    for (std::size_t first = 0, past = 0; first < keys.size(); first = past) {
      while (past < keys.size() && keys[past].key == keys[first].key) ++past;
      if (past - first == 1) continue;
      add_claims(records_, keys.subspan(first, past - first), claims_);
      mark();
    }
    return std::move(counts_);
  }

 private:
  /// The 5' ends of all records, and the claims of those on the strand of their mate.
  void read() {
    ends_.keys.reserve(records_.size());
    for (std::uint32_t i = 0; i < records_.size(); ++i) {
      if (libraries_.has_several()) prefetch_after(records_, i, prefetch_library);
      const RecordFacts& facts = facts_[i];
      if (is_of_range(i)) counts_[libraries_.of(records_[i])].count(facts.flag);
      if (!takes_part(facts.flag)) continue;
      ends_.keys.push_back({facts.five_prime, i});
      if (is_on_strand_of_mate(facts.flag)) claims_.push_back(pair_claim(records_[i], i));
    }
  }

  /// Tags up to RG, which are rarely longer.
  static void prefetch_library(const bam1_t& record) {
    constexpr int line = 64;
    prefetch(bam_get_aux(&record)), prefetch(bam_get_aux(&record) + line);
  }

  /// Marks records whose claim is not the best of its equals, if it is one that loses. Forgets the claims.
  void mark() {
    std::sort(claims_.begin(), claims_.end(), comes_before);
    for (std::size_t i = 1; i < claims_.size(); ++i) {
      const DuplicateKey& claim = claims_[i];
      if (is_of_range(claim.order) && claim.loses() && claim.same_as(claims_[i - 1])) mark(claim.record);
    }
    claims_.clear();
  }

  void mark(bam1_t* record) {
    if ((record->core.flag & BAM_FDUP) != 0) return;  // by another claim
    record->core.flag |= BAM_FDUP;
    counts_[libraries_.of(record)].count_marked(record->core.flag);
  }

  bool is_of_range(std::size_t i) const { return begin_ <= i && i < end_; }

  const std::span<bam1_t* const> records_;
  const std::span<const RecordFacts> facts_;
  const std::size_t begin_, end_;
  const LibraryTable& libraries_;
  std::vector<LibraryDuplicates> counts_;
  KeySorting& ends_;
  HugePageVector<DuplicateKey>& claims_;
};

}  // namespace

/// Most records share their 5' end with no other. Claims are made of those that do, and of pairs on one strand.
std::vector<LibraryDuplicates> mark_duplicates(const RecordsToMark& all, const LibraryTable& libraries,
                                               MarkingMemory& memory) {
  return Marking(all, libraries, memory).run();
}

void add_counts(const std::vector<LibraryDuplicates>& more, std::vector<LibraryDuplicates>& counts) {
  for (std::size_t i = 0; i < more.size(); ++i) counts[i] += more[i];
}

}  // namespace warpseed::records
