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
  const auto is_single = [&](const NumberedKey& each) { return !is_of_pair(records[each.number]); };
  const bool has_singles = std::any_of(group.begin(), group.end(), is_single);
  for (const NumberedKey& each : group) {
    bam1_t* const record = records[each.number];
    if (is_of_pair(record) && !is_on_strand_of_mate(record)) claims.push_back(pair_claim(record, each.number));
    if (has_singles) claims.push_back(single_end_claim(record, each.number));
  }
}

/// As mark_duplicates(). A record is counted when it is read, and once more when it is marked: reading all of them again
/// after marking would take as long as the marking.
class Marking {
 public:
  Marking(std::span<bam1_t* const> records, std::size_t begin, std::size_t end, const LibraryTable& libraries,
          MarkingMemory& memory)
      : records_(records),
        begin_(begin),
        end_(end),
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
      prefetch_after(records_, i, [&](const bam1_t& record) { prefetch_read(record); });
      bam1_t* const record = records_[i];
      if (is_of_range(i)) counts_[libraries_.of(record)].count(record);
      if (!takes_part(record)) continue;
      ends_.keys.push_back({five_prime_key(record), i});
      if (is_on_strand_of_mate(record)) claims_.push_back(pair_claim(record, i));
    }
  }

  /// CIGAR, and tags up to RG, which are rarely longer.
  void prefetch_read(const bam1_t& record) const {
    constexpr int line = 64;
    prefetch(bam_get_cigar(&record));
    if (libraries_.has_several()) prefetch(bam_get_aux(&record)), prefetch(bam_get_aux(&record) + line);
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
    counts_[libraries_.of(record)].count_marked(record);
  }

  bool is_of_range(std::size_t i) const { return begin_ <= i && i < end_; }

  const std::span<bam1_t* const> records_;
  const std::size_t begin_, end_;
  const LibraryTable& libraries_;
  std::vector<LibraryDuplicates> counts_;
  KeySorting& ends_;
  HugePageVector<DuplicateKey>& claims_;
};

}  // namespace

/// Most records share their 5' end with no other. Claims are made of those that do, and of pairs on one strand.
std::vector<LibraryDuplicates> mark_duplicates(std::span<bam1_t* const> records, std::size_t begin, std::size_t end,
                                               const LibraryTable& libraries, MarkingMemory& memory) {
  return Marking(records, begin, end, libraries, memory).run();
}

void add_counts(const std::vector<LibraryDuplicates>& more, std::vector<LibraryDuplicates>& counts) {
  for (std::size_t i = 0; i < more.size(); ++i) counts[i] += more[i];
}

}  // namespace warpseed::records
