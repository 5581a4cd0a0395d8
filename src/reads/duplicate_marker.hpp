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

struct MarkerOptions {
  std::int64_t reach = 0;  // the most bases that a record spans, clipped ones included, as note_scores() tells
  RecordsStay stay = RecordsStay::no;
  int threads = 1;
  std::size_t least_records = 65536;        // to compare at a time: work for many threads,
  std::uint64_t least_bytes = 64ULL << 20;  // or so much of copies, which long reads come to first
};

/// Holds records back until none that comes later can be a duplicate of them: those that lie within twice `reach`
/// bases, and as many as are to be compared at a time. Memory, where records do not stay: a copy of these.
///
/// The claims of all that wait are sorted; but for the best of equal ones they are flagged. A record that is not the
/// best of some is not the best of all, so it does no harm that some of them are compared again with what comes later.
/// O(n log n) for n records; claims are made and sorted by `threads` threads.
class DuplicateMarker {
 public:
  /// `sink` gets all records in the order in which they come.
  DuplicateMarker(const MarkerOptions& options, RecordSink sink);

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
  bool enough_wait() const;
  void settle(std::int32_t contig, std::int64_t position);
  void mark();
  void add_claims(std::size_t begin, std::size_t end, std::vector<DuplicateClaim>& claims);
  void hand_over(Waiting& first);

  MarkerOptions options_;
  RecordSink sink_;
  std::vector<Waiting> waiting_;
  std::vector<DuplicateClaim> claims_;
  std::vector<Copy> spare_;  // memory of copies that have gone
  std::size_t left_ = 0;     // of waiting_, when some went last
  std::uint64_t copied_bytes_ = 0;
  std::uint64_t singles_waiting_ = 0;
  DuplicateCounts counts_;
};

}  // namespace warpseed
