// Sets flag 0x400 on duplicates among records in coordinate order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/huge_pages.hpp"
#include "records/duplicate_rule.hpp"
#include "records/key_sort.hpp"
#include "records/library_duplicates.hpp"
#include "records/record_facts.hpp"

namespace warpseed::records {

/// Records whose positions are further apart than this have no end in common. longest_span: see store_scores().
constexpr std::int64_t reach_of(std::int64_t longest_span) {
  return 2 * longest_span;
}

/// What marking needs, to be used again.
struct MarkingMemory {
  KeySorting ends;  // the records' 5' ends
  HugePageVector<DuplicateKey> claims;
};

/// Records in coordinate order, after store_scores(), and the facts of each. Those of [begin, end) are to be marked. The
/// others are those that may have an end in common with one of them: they are compared, and not changed.
struct RecordsToMark {
  std::span<bam1_t* const> records;
  std::span<const RecordFacts> facts;
  std::size_t begin, end;
};

/// Marks the duplicates, and counts the records of [begin, end) by library. O(n log n) for n records. Threads: any, on
/// records of their own.
std::vector<LibraryDuplicates> mark_duplicates(const RecordsToMark& all, const LibraryTable& libraries,
                                               MarkingMemory& memory);

/// Adds counts by library; of none, nothing.
void add_counts(const std::vector<LibraryDuplicates>& more, std::vector<LibraryDuplicates>& counts);

}  // namespace warpseed::records
