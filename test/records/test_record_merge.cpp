// Ranges of merged blocks against std::stable_sort of all records.
#include "records/record_merge.hpp"

#include <algorithm>
#include <random>

#include "catch.hpp"
#include "records/record_order.hpp"

using namespace warpseed::records;

namespace {

struct Numbered {
  MergeKey key;
  std::uint64_t number;  // as bam1_t::id
};

/// Sorted runs of records at few positions of two contigs, or without a contig.
struct Runs {
  std::vector<std::vector<std::vector<std::byte>>> packed;  // of each run its blocks
  std::vector<std::vector<RecordBlock>> blocks;
  std::vector<Numbered> all;  // in the order of runs

  Runs(std::mt19937& rng, std::size_t runs, unsigned most_records, unsigned positions) {
    for (std::uint32_t run = 0; run < runs; ++run) add_run(rng, run, rng() % (most_records + 1), positions);
  }

  void add_run(std::mt19937& rng, std::uint32_t run, std::size_t count, unsigned positions) {
    std::vector<bam1_t> records(count);
    for (bam1_t& record : records) {
      record.core.tid = static_cast<std::int32_t>(rng() % 3) - 1;
      record.core.pos = record.core.tid < 0 ? -1 : rng() % positions;
      record.core.flag = rng() % 2 ? BAM_FREVERSE : 0;
    }
    const auto key_of = [](const bam1_t& record) { return coordinate_key(&record); };
    std::ranges::stable_sort(records, {}, key_of);
    packed.emplace_back(), blocks.emplace_back();
    for (bam1_t& record : records) {
      if (blocks[run].empty() || rng() % 4 == 0) {
        RecordBlock& block = blocks[run].emplace_back();
        block.first_key = key_of(record);
        block.file = run, block.offset = packed[run].size();  // for load()
        packed[run].emplace_back();
      }
      record.id = all.size();
      pack(record, packed[run].back());
      all.push_back({{key_of(record), run, static_cast<std::uint32_t>(blocks[run].size() - 1)}, record.id});
    }
    for (RecordBlock& block : blocks[run]) {
      const std::span<const std::byte> bytes = packed[run][block.offset];
      hold(bytes, block);
      if (run % 2 > 0) block.held = {};  // load() copies it
    }
  }

  /// The blocks of each run, all of them.
  BlocksByRun numbered() const {
    BlocksByRun all_blocks(blocks.size());
    for (std::size_t run = 0; run < blocks.size(); ++run) {
      for (const RecordBlock& block : blocks[run]) {
        all_blocks[run].push_back({&block, static_cast<std::uint32_t>(block.offset)});
      }
    }
    return all_blocks;
  }

  /// Where a range may begin or end, in order.
  std::vector<MergeKey> borders() const {
    std::vector<MergeKey> keys = {MergeKey{}, past_all};
    for (std::uint32_t run = 0; run < blocks.size(); ++run) {
      for (std::uint32_t i = 0; i < blocks[run].size(); ++i) keys.push_back({blocks[run][i].first_key, run, i});
    }
    std::ranges::sort(keys);
    return keys;
  }
};

/// The numbers of records from `begin` to before `end`, in coordinate order.
std::vector<std::uint64_t> numbers_between(std::vector<Numbered> all, const MergeKey& begin, const MergeKey& end) {
  std::erase_if(all, [&](const Numbered& each) { return each.key < begin || end <= each.key; });
  std::ranges::stable_sort(all, {}, [](const Numbered& each) { return each.key.key; });
  std::vector<std::uint64_t> numbers;
  for (const Numbered& each : all) numbers.push_back(each.number);
  return numbers;
}

std::vector<std::uint64_t> numbers_of(std::span<bam1_t* const> records) {
  std::vector<std::uint64_t> numbers;
  for (const bam1_t* record : records) numbers.push_back(record->id);
  return numbers;
}

}  // namespace

TEST_CASE("a range of merged blocks equals that of std::stable_sort", "[records][runs]") {
  const std::size_t runs = GENERATE(1U, 2U, 33U);
  const unsigned most_records = GENERATE(0U, 1U, 60U);  // of a run; some have none
  const unsigned positions = GENERATE(1U, 7U, 5000U);
  const std::int64_t around = GENERATE(0, 2);
  const unsigned seed = 62 + static_cast<unsigned>(runs) + most_records + positions;
  CAPTURE(runs, most_records, positions, around, seed);
  std::mt19937 rng(seed);
  const Runs made(rng, runs, most_records, positions);
  const auto load = [&](std::span<const NumberedBlock> blocks, std::span<std::byte> bytes) {
    return [&made, blocks, bytes] {
      auto end = bytes.begin();
      for (const auto& [block, number] : blocks)
        end = std::ranges::copy(made.packed[block->file][block->offset], end).out;
    };
  };
  const std::vector<MergeKey> borders = made.borders();
  SortedRecords records;  // its memory is reused
  for (int i = 0; i < 20; ++i) {
    const std::size_t begin = rng() % (borders.size() - 1), end = begin + 1 + rng() % (borders.size() - 1 - begin);
    const RunRange range = {borders[begin], borders[end]}, wide = widened(range, around);
    CAPTURE(begin, end);
    merge_blocks(range, wide, made.numbered(), load, records);
    CHECK(numbers_of(records.sorted) == numbers_between(made.all, wide.begin, wide.end));
    CHECK(numbers_of(records.of_range()) == numbers_between(made.all, range.begin, range.end));
  }
}
