// Flag 0x400 on duplicates, while records go by in coordinate order.
#pragma once

#include <memory>
#include <vector>

#include "records/duplicate_counts.hpp"
#include "records/duplicate_rule.hpp"
#include "records/record_order.hpp"

namespace warpseed::records {

struct MarkerOptions {
  std::int64_t reach = 0;  // the most bases that a record spans, clipped ones included, as note_scores() tells
  int threads = 1;
  std::size_t least_records = 1 << 18;       // to compare at a time: work for many threads,
  std::uint64_t least_bytes = 128ULL << 20;  // or so much, which long reads come to first
};

/// Holds records back until none that comes later can be a duplicate of them: those that lie within twice `reach`
/// bases, and as many as are to be compared at a time.
///
/// The claims of all that wait are sorted; but for the best of equal ones they are flagged. A record that is not the
/// best of some is not the best of all, so it does no harm that some of them are compared again with what comes later.
/// O(n log n) for n records, spread over `threads` threads.
class DuplicateMarker {
 public:
  /// `sink` gets all records in the order in which they come.
  DuplicateMarker(const MarkerOptions& options, RecordSink sink);

  /// Records in coordinate order whose scores have been noted.
  void add(std::vector<BamRecord> records);

  /// After the last record.
  void finish();

  const DuplicateCounts& counts() const { return counts_; }

 private:
  struct Waiting {
    BamRecord record;
    std::int64_t last_equal;  // position after which no record can be its duplicate
    std::int32_t contig;
    bool takes_part, of_pair;
  };

  bool enough_wait() const;
  void look_at(std::size_t begin);
  void settle(std::int32_t contig, std::int64_t position);
  void mark();
  void gather_claims();
  void hand_over(std::size_t count);
  void tally(std::size_t count);

  MarkerOptions options_;
  RecordSink sink_;
  std::vector<Waiting> waiting_;
  std::vector<DuplicateClaim> claims_;
  std::size_t left_ = 0;     // of waiting_, when some went last
  std::uint64_t bytes_ = 0;  // that came since then
  std::uint64_t singles_waiting_ = 0;
  DuplicateCounts counts_;
};

}  // namespace warpseed::records
