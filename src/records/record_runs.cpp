#include "records/record_runs.hpp"

#include <tbb/parallel_sort.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <optional>
#include <utility>

#include "core/parallel.hpp"
#include "records/record_order.hpp"
#include "sort/key_order.hpp"

namespace warpseed::records {

namespace {

constexpr std::uint64_t records_a_task = 8192;
constexpr int most_files = 8;
constexpr std::size_t bytes_a_call = 1 << 20;  // of a file: each call waits for those of other threads

/// Some consecutive records of a run, their keys, and the number of the first one.
struct Part {
  std::span<BamRecord> records;
  std::span<const std::uint64_t> keys;
  std::uint64_t first;
};

/// The records of all batches, in order, divided into tasks.
std::vector<Part> parts_of(std::vector<WaitingRecords>& batches) {
  std::vector<Part> parts;
  std::uint64_t first = 0;
  for (WaitingRecords& batch : batches) {
    for (std::size_t begin = 0; begin < batch.records.size(); begin += records_a_task) {
      const std::size_t size = std::min<std::size_t>(batch.records.size() - begin, records_a_task);
      parts.push_back(
          {std::span(batch.records).subspan(begin, size), std::span(batch.keys).subspan(begin, size), first});
      first += size;
    }
  }
  return parts;
}

/// Calls work(part) for all parts, by many threads.
template <class Work>
void for_parts(const std::vector<Part>& parts, int threads, const Work& work) {
  for_blocks(threads, parts.size(), 1, [&](std::uint64_t i, std::uint64_t) { work(parts[i]); });
}

}  // namespace

void RecordRuns::add(std::vector<WaitingRecords> batches, const Backend& backend) {
  const std::vector<Part> parts = parts_of(batches);
  const std::uint64_t count = parts.empty() ? 0 : parts.back().first + parts.back().records.size();
  records_.resize(count), keys_.resize(count), sorted_.resize(count);
  for_parts(parts, threads_, [&](const Part& part) {
    const auto to = static_cast<std::ptrdiff_t>(part.first);
    std::ranges::transform(part.records, records_.begin() + to, &BamRecord::get);
    std::ranges::copy(part.keys, keys_.begin() + to);
  });
  std::uint64_t bytes = 0;
  for (const WaitingRecords& batch : batches) bytes += batch.packed_bytes;
  const bool stays = held_ + bytes <= sizes_.held_bytes;
  bytes_ += bytes;
  if (stays) held_ += bytes;
  if (!stays && !devices_) devices_ = make_device_store(backend, sizes_.device_bytes);
  if (!stays && files_.empty()) open_files();
  set_order(backend);
  runs_.push_back(packed(Memory(stays ? bytes : 0)));
  if (devices_) devices_->wait();
  for_parts(parts, threads_, [](const Part& part) { free_records(part.records); });
}

/// Sets sorted_: the records in coordinate order, those with equal keys in input order.
void RecordRuns::set_order(const Backend& backend) {
  const std::vector<std::uint32_t> order = sort::key_order(keys_, backend);
  for_blocks(threads_, order.size(), records_a_task, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) sorted_[i] = records_[order[i]];
  });
}

void RecordRuns::open_files() {
  const int count = std::clamp(threads_, 1, most_files);
  for (int i = 0; i < count; ++i) files_.push_back(std::make_unique<AnonymousFile>(path_, "for sorting", folder_));
}

/// The sorted records in blocks: in `memory`, which has room for all of them, or elsewhere if it is empty.
RecordRuns::Run RecordRuns::packed(Memory memory) const {
  const std::span<const bam1_t* const> records = sorted_;
  Run run = {{}, std::move(memory)};
  // Before blocks of several threads come to share a page.
  for_blocks(threads_, run.memory.size(), huge_page_bytes, [&](std::uint64_t begin, std::uint64_t end) {
    touch_pages(std::span(run.memory).subspan(begin, end - begin));
  });
  std::atomic<std::uint64_t> used{0};
  std::vector<std::vector<RecordBlock>> parts((records.size() + records_a_task - 1) / records_a_task);
  for_blocks(threads_, records.size(), records_a_task, [&](std::uint64_t begin, std::uint64_t end) {
    const std::uint64_t part = begin / records_a_task;
    const std::span<const bam1_t* const> some = records.subspan(begin, end - begin);
    parts[part] = run.memory.empty() ? stored_part(some, part % files_.size()) : held_part(some, run.memory, used);
  });
  for (const auto& part : parts) run.blocks.insert(run.blocks.end(), part.begin(), part.end());
  return run;
}

/// The blocks of a part of a run, in memory after the first `used` bytes, in any order of the parts.
std::vector<RecordBlock> RecordRuns::held_part(std::span<const bam1_t* const> records, std::span<std::byte> memory,
                                               std::atomic<std::uint64_t>& used) const {
  std::vector<RecordBlock> part;
  while (!records.empty()) {
    const auto [some, bytes] = first_block(records);
    const std::span<std::byte> to = memory.subspan(used.fetch_add(bytes), bytes);
    hold(to, part.emplace_back(packed_block(some, to)));
    records = records.subspan(some.size());
  }
  return part;
}

/// The blocks of a part of a run, on a device as far as there is room, the rest in a file.
std::vector<RecordBlock> RecordRuns::stored_part(std::span<const bam1_t* const> records, std::size_t file) const {
  std::vector<RecordBlock> part;
  if (devices_ && !devices_full_) records = device_part(records, part);
  std::vector<std::byte> packed, stored;
  RecordSplitter splitter;
  std::size_t written = part.size();  // blocks
  while (!records.empty()) {
    const auto [some, bytes] = first_block(records);
    packed.resize(bytes);
    store(packed, splitter, stored, part.emplace_back(packed_block(some, packed)));
    records = records.subspan(some.size());
    if (stored.size() < bytes_a_call && !records.empty()) continue;
    const std::uint64_t offset = files_[file]->append(stored);
    for (; written < part.size(); ++written) {
      part[written].offset += offset;
      part[written].file = static_cast<std::uint32_t>(file);
    }
    stored.clear();
  }
  return part;
}

/// Adds blocks of the records, on devices, until these are full. Returns the records that are left.
std::span<const bam1_t* const> RecordRuns::device_part(std::span<const bam1_t* const> records,
                                                       std::vector<RecordBlock>& part) const {
  FirstBlock next = first_block(records);
  while (!records.empty() && next.bytes <= DeviceStore::page_bytes) {  // unless a record is that long
    const std::size_t begin = part.size();
    std::span<const bam1_t* const> rest = records;
    std::unique_ptr<DeviceStore::Page> page = devices_->new_page();
    std::size_t used = 0;
    for (; !rest.empty() && used + next.bytes <= DeviceStore::page_bytes; next = first_block(rest)) {
      RecordBlock& block = part.emplace_back(packed_block(next.records, page->bytes().subspan(used, next.bytes)));
      block.on_device = true;
      block.offset = used;
      used += next.bytes;
      rest = rest.subspan(next.records.size());
    }
    const std::optional<std::uint64_t> address = devices_->append(std::move(page), used);
    if (!address) {
      part.resize(begin);  // what was packed is packed again
      devices_full_ = true;
      break;
    }
    for (RecordBlock& block : std::span(part).subspan(begin)) block.offset += *address;
    records = rest;
  }
  return records;
}

/// The first of these records: all, or enough of them for a block.
RecordRuns::FirstBlock RecordRuns::first_block(std::span<const bam1_t* const> records) const {
  std::size_t count = 0, bytes = 0;
  for (; count < records.size() && bytes < sizes_.block_bytes; ++count) {
    prefetch_after(records, count, [](const bam1_t&) {});
    bytes += packed_bytes(*records[count]);
  }
  return {records.first(count), bytes};
}

/// Packs records into as many bytes as they take.
RecordBlock RecordRuns::packed_block(std::span<const bam1_t* const> records, std::span<std::byte> to) {
  RecordBlock block;
  block.first_key = coordinate_key(records.front());
  block.bytes = static_cast<std::uint32_t>(to.size());
  std::byte* end = to.data();
  for (std::size_t i = 0; i < records.size(); ++i) {
    prefetch_after(records, i, prefetch_data);
    end = pack(*records[i], end);
  }
  return block;
}

std::vector<RunRange> RecordRuns::ranges(std::uint64_t bytes, std::int64_t distance) const {
  struct Begin {
    MergeKey key;
    std::uint64_t bytes;
  };
  std::vector<Begin> blocks;
  for (std::uint32_t run = 0; run < runs_.size(); ++run) {
    const std::vector<RecordBlock>& of_run = runs_[run].blocks;
    for (std::uint32_t i = 0; i < of_run.size(); ++i)
      blocks.push_back({{of_run[i].first_key, run, i}, of_run[i].bytes});
  }
  tbb::task_arena arena(std::max(threads_, 1));
  arena.execute([&] { tbb::parallel_sort(blocks, [](const Begin& a, const Begin& b) { return a.key < b.key; }); });
  bytes = std::max<std::uint64_t>(bytes, 4 * sizes_.block_bytes * runs_.size());
  std::vector<RunRange> ranges;
  if (blocks.empty()) return ranges;
  MergeKey begin;
  std::uint64_t filled = 0;
  for (const Begin& block : blocks) {
    if (filled >= bytes && are_apart(begin.key, block.key.key, distance)) {
      ranges.push_back({begin, block.key});
      begin = block.key, filled = 0;
    }
    filled += block.bytes;
  }
  ranges.push_back({begin, past_all});
  return ranges;
}

/// The run's blocks that may have records in the range.
std::span<const RecordBlock> RecordRuns::blocks_in(std::uint32_t number, const RunRange& range) const {
  const std::vector<RecordBlock>& run = runs_[number].blocks;
  const auto first_from = [&](const MergeKey& key) {
    return std::partition_point(run.begin(), run.end(), [&](const RecordBlock& block) {
      return MergeKey{block.first_key, number, static_cast<std::uint32_t>(&block - run.data())} < key;
    });
  };
  auto begin = first_from(range.begin);
  if (begin != run.begin()) --begin;  // its last records may be in the range
  return {begin, first_from(range.end)};
}

void RecordRuns::read(const RunRange& range, std::int64_t around, SortedRecords& made) const {
  const RunRange wide = widened(range, around);
  BlocksByRun blocks(runs_.size());
  for (std::uint32_t run = 0; run < runs_.size(); ++run) {
    for (const RecordBlock& block : blocks_in(run, wide)) {
      blocks[run].push_back({&block, static_cast<std::uint32_t>(&block - runs_[run].blocks.data())});
    }
  }
  const auto load = [this](std::span<const NumberedBlock> some, std::span<std::byte> bytes) {
    return begin_load(some, bytes);
  };
  if (devices_ && !made.device_memory) made.device_memory = devices_->new_memory();
  merge_blocks(range, wide, blocks, load, made);
}

/// Those that follow each other on a device come by one copy. Files are read at the end.
std::function<void()> RecordRuns::begin_load(std::span<const NumberedBlock> blocks, std::span<std::byte> bytes) const {
  std::vector<DeviceStore::Piece> on_devices;
  std::vector<std::pair<const RecordBlock*, std::span<std::byte>>> in_files;
  for (const auto& [block, number] : blocks) {
    const std::span<std::byte> to = bytes.first(block->bytes);
    bytes = bytes.subspan(block->bytes);
    if (!block->on_device) {
      in_files.emplace_back(block, to);
    } else if (!on_devices.empty() && on_devices.back().address + on_devices.back().to.size() == block->offset &&
               on_devices.back().to.data() + on_devices.back().to.size() == to.data()) {
      on_devices.back().to = {on_devices.back().to.data(), on_devices.back().to.size() + to.size()};
    } else {
      on_devices.push_back({block->offset, to});
    }
  }
  std::shared_ptr<DeviceStore::Reading> reading;
  if (!on_devices.empty()) reading = devices_->read(on_devices);
  return [this, reading = std::move(reading), in_files = std::move(in_files)] {
    std::vector<std::byte> stored;
    for (const auto& [block, to] : in_files) load(*block, *files_[block->file], stored, to);
    if (reading) reading->finish();
  };
}

/// By all threads: the memory and the files hold gigabytes.
void RecordRuns::clear() {
  for_blocks(threads_, runs_.size(), 1, [&](std::uint64_t i, std::uint64_t) { runs_[i] = {}; });
  for_blocks(threads_, files_.size(), 1, [&](std::uint64_t i, std::uint64_t) { files_[i].reset(); });
  runs_.clear();
  bytes_ = held_ = 0;
  devices_.reset();
  devices_full_ = false;
  files_.clear();
  records_ = {}, sorted_ = {}, keys_ = {};
}

}  // namespace warpseed::records
