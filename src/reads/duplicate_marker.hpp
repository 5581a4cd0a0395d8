// Flag 0x400 on duplicates, while records go by in coordinate order.
#pragma once

#include <memory>
#include <vector>

#include "reads/duplicate_counts.hpp"
#include "reads/duplicate_rule.hpp"
#include "reads/record_run.hpp"

namespace warpseed {

/// Whether records that were handed over stay where they are.
enum class RecordsStay { yes, no };

/// Holds records back until none that comes later can be a duplicate of them: all that lie within two reads' lengths,
/// and at least 65,536, so that many threads have work. Memory, where records do not stay: a copy of those.
///
/// The claims of all that wait are sorted; but for the best of equal ones they are flagged. A record that is not the best
/// of some is not the best of all, so it does no harm that some of them are compared again with what comes later.
/// O(n log n) for n records, all but the hand-over by `threads` threads.
class DuplicateMarker {
 public:
  /// reach: the most bases that a record spans, clipped ones included, as note_scores() tells. `sink` gets all records
  /// in the order in which they come.
  DuplicateMarker(std::int64_t reach, int threads, RecordsStay stay, RecordSink sink);

  /// Records in coordinate order whose scores have been noted.
  void add(bam1_t* record);

  /// After the last record.
  void finish();

  const DuplicateCounts& counts() const { return counts_; }

 private:
  struct Deleter {
    void operator()(bam1_t* record) const { bam_destroy1(record); }
  };
  using Copy = std::unique_ptr<bam1_t, Deleter>;

  struct Waiting {
    bam1_t* record;
    Copy copy;                // owns it, unless records stay
    std::int64_t last_equal;  // position after which no record can be its duplicate
  };

  Copy copy_of(const bam1_t* record);
  void settle(std::int32_t contig, std::int64_t position);
  void mark();
  void add_claims(std::size_t begin, std::size_t end, std::vector<DuplicateClaim>& claims);
  void hand_over(Waiting& first);

  std::int64_t reach_;
  int threads_;
  RecordsStay stay_;
  RecordSink sink_;
  std::vector<Waiting> waiting_;
  std::vector<DuplicateClaim> claims_;
  std::vector<Copy> spare_;  // memory of copies that have gone
  std::size_t limit_;
  std::uint64_t singles_waiting_ = 0;
  DuplicateCounts counts_;
};

}  // namespace warpseed
