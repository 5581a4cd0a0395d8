#include "records/record_merge.hpp"

#include <algorithm>
#include <limits>

#include "records/record_order.hpp"

namespace warpseed::records {

namespace {

constexpr std::uint64_t last_key = std::numeric_limits<std::uint64_t>::max();  // of records without a contig

/// The bytes of a run's blocks that have to be loaded.
std::size_t loaded_bytes(std::span<const NumberedBlock> of_run) {
  std::size_t bytes = 0;
  for (const NumberedBlock& each : of_run) bytes += each.block->held.empty() ? each.block->bytes : 0;
  return bytes;
}

std::span<std::byte> room_for(std::size_t bytes, SortedRecords& records) {
  if (records.device_memory) return records.device_memory->room(bytes);
  records.memory.clear();
  records.memory.resize(bytes);
  return records.memory;
}

/// Where the records of a block are, once they are unpacked.
struct UnpackedBlock {
  std::uint32_t run, number;
  std::size_t begin, end;
};

/// Appends the records of a run's blocks, and their facts while they are in the caches. `loaded`: the bytes of blocks that
/// are not held.
void unpack_run(std::uint32_t run, std::span<const NumberedBlock> of_run, std::span<const std::byte> loaded,
                SortedRecords& to, std::vector<UnpackedBlock>& unpacked) {
  for (const auto& [block, number] : of_run) {
    std::span<const std::byte> bytes = block->held;
    if (bytes.empty()) {
      bytes = loaded.first(block->bytes);
      loaded = loaded.subspan(block->bytes);
    }
    const std::size_t begin = to.records.size();
    unpack(bytes, to.records);
    to.facts.resize(to.records.size());
    for (std::size_t i = begin; i < to.records.size(); ++i) to.facts[i] = facts_of(to.records[i]);
    unpacked.push_back({run, number, begin, to.records.size()});
  }
}

/// Replaces the records with those of all blocks. While a run is unpacked, the next one is on its way.
std::vector<UnpackedBlock> load_blocks(const BlocksByRun& blocks, const BlockLoader& load, SortedRecords& to) {
  std::vector<std::size_t> begins = {0};  // of each run's loaded bytes, and the end
  for (const auto& of_run : blocks) begins.push_back(begins.back() + loaded_bytes(of_run));
  to.records.clear(), to.facts.clear();
  const std::span<std::byte> room = room_for(begins.back(), to);
  const auto room_of = [&](std::size_t run) { return room.subspan(begins[run], begins[run + 1] - begins[run]); };
  const auto begin = [&](std::size_t run) {
    const bool is_loaded = run < blocks.size() && !room_of(run).empty();
    return is_loaded ? load(blocks[run], room_of(run)) : std::function<void()>();
  };
  std::vector<UnpackedBlock> unpacked;
  std::function<void()> complete = begin(0);
  for (std::size_t run = 0; run < blocks.size(); ++run) {
    const std::function<void()> complete_next = begin(run + 1);
    if (complete) complete();
    unpack_run(static_cast<std::uint32_t>(run), blocks[run], room_of(run), to, unpacked);
    complete = complete_next;
  }
  return unpacked;
}

std::uint64_t key_of(const RecordFacts& facts) {
  return coordinate_key(facts.contig, facts.begin, facts.flag);
}

/// The index of a block's first record that is not before `border`. A block is in coordinate order.
std::size_t first_from(const MergeKey& border, const UnpackedBlock& block, std::span<const RecordFacts> facts) {
  const auto is_before = [&](const RecordFacts& each) {
    return MergeKey{key_of(each), block.run, block.number} < border;
  };
  const auto of_block = facts.subspan(block.begin, block.end - block.begin);
  const auto first = std::partition_point(of_block.begin(), of_block.end(), is_before);
  return block.begin + static_cast<std::size_t>(first - of_block.begin());
}

}  // namespace

const MergeKey past_all = {last_key, std::numeric_limits<std::uint32_t>::max(), 0};

bool are_apart(std::uint64_t begin, std::uint64_t next, std::int64_t distance) {
  if (next == last_key || contig_of_key(begin) != contig_of_key(next)) return true;
  return position_of_key(next) - position_of_key(begin) > distance;
}

RunRange widened(const RunRange& range, std::int64_t around) {
  RunRange wide = range;
  if (around == 0) return wide;
  if (range.begin.key != last_key) wide.begin = {first_key_near(range.begin.key, around), 0, 0};
  if (range.end.key != last_key) wide.end = {last_key_near(range.end.key, around) + 1, 0, 0};
  return wide;
}

void merge_blocks(const RunRange& range, const RunRange& wide, const BlocksByRun& blocks, const BlockLoader& load,
                  SortedRecords& made) {
  const std::vector<UnpackedBlock> unpacked = load_blocks(blocks, load, made);
  const std::span<const RecordFacts> facts = made.facts;
  HugePageVector<NumberedKey>& keys = made.sorting.keys;
  keys.clear();
  made.begin = made.end = 0;
  for (const UnpackedBlock& block : unpacked) {
    const auto first = [&](const MergeKey& border) { return first_from(border, block, facts); };
    const std::size_t wide_begin = first(wide.begin), wide_end = first(wide.end);
    made.begin += first(range.begin) - wide_begin;
    made.end += first(range.end) - wide_begin;
    for (std::size_t i = wide_begin; i < wide_end; ++i)
      keys.push_back({key_of(facts[i]), static_cast<std::uint32_t>(i)});
  }
  made.sorting.sort();  // those of equal keys stay in the order of runs, and of blocks within a run
  made.sorted.resize(keys.size()), made.sorted_facts.resize(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    made.sorted[i] = &made.records[keys[i].number];
    made.sorted_facts[i] = facts[keys[i].number];
  }
}

}  // namespace warpseed::records
