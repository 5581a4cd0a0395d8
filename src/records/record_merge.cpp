#include "records/record_merge.hpp"

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

/// Appends the records of a run's blocks. `loaded`: those that are not held.
void unpack_run(std::span<const NumberedBlock> of_run, std::span<const std::byte> loaded, SortedRecords& to) {
  for (const auto& [block, number] : of_run) {
    std::span<const std::byte> bytes = block->held;
    if (bytes.empty()) {
      bytes = loaded.first(block->bytes);
      loaded = loaded.subspan(block->bytes);
    }
    unpack(bytes, to.records);
    to.blocks.resize(to.records.size(), number);
  }
}

/// Replaces the records with those of all blocks. run_ends: of each run's records. While a run is unpacked, the next one
/// is on its way.
void load_blocks(const BlocksByRun& blocks, const BlockLoader& load, SortedRecords& to,
                 std::vector<std::size_t>& run_ends) {
  std::vector<std::size_t> begins = {0};  // of each run's loaded bytes, and the end
  for (const auto& of_run : blocks) begins.push_back(begins.back() + loaded_bytes(of_run));
  to.records.clear(), to.blocks.clear();
  const std::span<std::byte> room = room_for(begins.back(), to);
  const auto room_of = [&](std::size_t run) { return room.subspan(begins[run], begins[run + 1] - begins[run]); };
  const auto begin = [&](std::size_t run) {
    const bool is_loaded = run < blocks.size() && !room_of(run).empty();
    return is_loaded ? load(blocks[run], room_of(run)) : std::function<void()>();
  };
  std::function<void()> complete = begin(0);
  for (std::size_t run = 0; run < blocks.size(); ++run) {
    const std::function<void()> complete_next = begin(run + 1);
    if (complete) complete();
    unpack_run(blocks[run], room_of(run), to);
    run_ends.push_back(to.records.size());
    complete = complete_next;
  }
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
  std::vector<std::size_t> run_ends;
  load_blocks(blocks, load, made, run_ends);
  made.sorting.keys.clear();
  made.begin = made.end = 0;
  std::uint32_t run = 0;
  for (std::size_t i = 0; i < made.records.size(); ++i) {
    while (i == run_ends[run]) ++run;
    const MergeKey merge_key = {coordinate_key(&made.records[i]), run, made.blocks[i]};
    if (merge_key < wide.begin || !(merge_key < wide.end)) continue;
    made.begin += merge_key < range.begin ? 1 : 0;
    made.end += merge_key < range.end ? 1 : 0;
    made.sorting.keys.push_back({merge_key.key, static_cast<std::uint32_t>(i)});
  }
  made.sorting.sort();  // those of equal keys stay in the order of runs, and of blocks within a run
  made.sorted.clear();
  for (const NumberedKey& each : made.sorting.keys) made.sorted.push_back(&made.records[each.number]);
}

}  // namespace warpseed::records
