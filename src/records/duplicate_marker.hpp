// Sets flag 0x400 on duplicates in a stream of records in coordinate order.
#pragma once

#include <memory>
#include <vector>

#include "records/duplicate_rule.hpp"
#include "records/library_duplicates.hpp"
#include "records/record_order.hpp"

namespace warpseed::records {

struct MarkerOptions {
  std::int64_t reach = 0;  // the longest span of a record, including clipped bases, from store_scores()
  int threads = 1;
  std::size_t min_records = 1 << 18;         // per comparison: enough work for many threads,
  std::uint64_t least_bytes = 128ULL << 20;  // or this many bytes, which long reads reach first
};

/// Holds records back until no later record can be their duplicate. Those are the records within twice `reach` bases,
/// and as many as are compared at once.
///
/// The claims of all waiting records are sorted; of equal ones all but the best are flagged. A record that is not the
/// best of a subset is not the best of all, so comparing some of them again with later records does no harm.
/// O(n log n) for n records, spread over `threads` threads.
class DuplicateMarker {
 public:
  /// `sink` gets all records in their input order. `libraries` are counted; the rule does not distinguish them.
  DuplicateMarker(const MarkerOptions& options, RecordSink sink, LibraryTable libraries = LibraryTable());

  /// Adds records in coordinate order, after store_scores().
  void add(std::vector<BamRecord> records);

  /// Call after the last record.
  void finish();

  DuplicateSummary summary() const { return libraries_.summary(counts_); }

 private:
  struct Waiting {
    BamRecord record;
    std::int64_t last_equal;  // position after which no record can be its duplicate
    std::int32_t contig;
    bool takes_part, of_pair;
  };

  bool enough_wait() const;
  void look_at(std::size_t begin);
  void mark_before(std::int32_t contig, std::int64_t position);
  void mark();
  void gather_claims();
  void emit(std::size_t count);
  void tally(std::size_t count);

  MarkerOptions options_;
  RecordSink sink_;
  LibraryTable libraries_;
  std::vector<LibraryDuplicates> counts_;  // by library
  std::vector<Waiting> waiting_;
  std::vector<DuplicateKey> claims_;
  std::size_t left_ = 0;     // size of waiting_ after the last emission
  std::uint64_t bytes_ = 0;  // added since then
  std::uint64_t singles_waiting_ = 0;
};

}  // namespace warpseed::records
