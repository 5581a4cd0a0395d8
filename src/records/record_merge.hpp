// Merges sorted runs of records by ranges of the genome. Private to the module.
#pragma once

#include <htslib/sam.h>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/device_store.hpp"
#include "core/huge_pages.hpp"
#include "records/duplicate_marker.hpp"
#include "records/key_sort.hpp"
#include "records/record_block.hpp"
#include "records/record_facts.hpp"

namespace warpseed::records {

/// What the merge orders records by: those of equal coordinate keys are in the order of runs.
struct MergeKey {
  std::uint64_t key = 0;
  std::uint32_t run = 0;
  std::uint32_t block = 0;

  friend auto operator<=>(const MergeKey&, const MergeKey&) = default;
};

/// The records from `begin` to before `end`.
struct RunRange {
  MergeKey begin, end;
};

/// Records in coordinate order: those of a range, and before and after them those within some bases of it. Its memory is
/// reused for other ranges.
struct SortedRecords {
  std::unique_ptr<DeviceStore::Memory> device_memory;  // of blocks that were read, one after the other; or
  HugePageVector<std::byte> memory;                    // where none come from devices
  HugePageVector<bam1_t> records;                      // of all blocks
  HugePageVector<RecordFacts> facts;                   // [records]
  std::vector<bam1_t*> sorted;
  HugePageVector<RecordFacts> sorted_facts;  // [sorted]
  KeySorting sorting;
  MarkingMemory marking;
  std::vector<std::uint8_t> with_tags;                   // data of records that got another tag
  std::vector<std::shared_ptr<const RecordBlock>> held;  // blocks that the records' data are in
  std::size_t begin = 0, end = 0;                        // the range's, in `sorted`

  std::span<bam1_t* const> of_range() const { return std::span(sorted).subspan(begin, end - begin); }
  std::span<RecordFacts> facts_of_range() { return std::span(sorted_facts).subspan(begin, end - begin); }
  RecordsToMark to_mark() const { return {sorted, sorted_facts, begin, end}; }
};

/// A block of a run, and its number there.
struct NumberedBlock {
  const RecordBlock* block = nullptr;
  std::uint32_t number = 0;
};

/// Consecutive blocks of each run.
using BlocksByRun = std::vector<std::vector<NumberedBlock>>;

/// Does a range that begins with key `begin` keep its distance to one that begins with key `next`: is it more than so many
/// bases, or is `next` that of records without a contig?
bool are_apart(std::uint64_t begin, std::uint64_t next, std::int64_t distance);

/// The range and all records within `around` bases of it. The last range has only records of itself after its begin.
RunRange widened(const RunRange& range, std::int64_t around);

/// After all records.
extern const MergeKey past_all;

/// Begins to read the packed records of consecutive blocks of a run, one after the other; what it returns is called once,
/// and completes that. `blocks` and `bytes` stay until then.
using BlockLoader =
    std::function<std::function<void()>(std::span<const NumberedBlock> blocks, std::span<std::byte> bytes)>;

/// Replaces `made` with the records of a range, and with them those of `wide`, a range around it, in coordinate order,
/// those of equal keys in the order of the runs. blocks: all that may have records in `wide`. Of a run all or none are
/// held in memory; those that are must outlive `made`, others are loaded.
void merge_blocks(const RunRange& range, const RunRange& wide, const BlocksByRun& blocks, const BlockLoader& load,
                  SortedRecords& made);

}  // namespace warpseed::records
