// Records in shared chunks of memory, against records allocated alone.
#include <htslib/sam.h>

#include <algorithm>
#include <thread>

#include "catch.hpp"
#include "reads/helpers.hpp"
#include "records/alignment_record.hpp"
#include "records/bam_memory.hpp"

using namespace warpseed;
using namespace warpseed::records;
using test::Read;

namespace {

struct Case {
  Read read;
  AlignmentRecord record;
  bool with_comment;
};

std::vector<Case> random_cases(std::uint64_t count, std::mt19937& rng) {
  std::vector<Case> cases(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    Case& made = cases[i];
    made.read = test::random_read("read" + std::to_string(i), rng() % 20 == 0 ? 2000 : 150, rng);
    made.with_comment = rng() % 3 == 0;
    // Longer than the record's first allocation, so that its data moves.
    made.read.comment = made.with_comment ? "CO:Z:" + test::random_text(1 + rng() % 3000, "ACGT", rng) : "";
    made.record.flag = rng() % 2 == 0 ? records::sam_flag::reverse : std::uint16_t{0};
    made.record.mismatches = test::random_text(rng() % 50, "0123456789", rng);
  }
  return cases;
}

std::string content_of(const BamRecord& record) {
  const bam1_t* bam = record.get();
  return std::to_string(bam->core.flag) + "," + std::to_string(bam->core.l_qseq) + "," +
         std::string(reinterpret_cast<const char*>(bam->data), static_cast<std::size_t>(bam->l_data));
}

}  // namespace

TEST_CASE("records in shared memory equal those allocated alone, and outlive it", "[records][record]") {
  const std::uint64_t chunk_bytes = GENERATE(0, 1, 500, 5000, 1 << 16);
  const unsigned seed = 41;
  CAPTURE(chunk_bytes, seed);
  std::mt19937 rng(seed);
  const std::vector<Case> cases = random_cases(300, rng);
  std::vector<BamRecord> records;
  {
    BamMemory memory(chunk_bytes);
    for (const Case& made : cases) {
      records.emplace_back(made.record, made.read.view(), "group", made.with_comment, memory);
    }
  }
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Case& made = cases[i];
    REQUIRE(content_of(records[i]) == content_of({made.record, made.read.view(), "group", made.with_comment}));
  }
  std::shuffle(records.begin(), records.end(), rng);
  const auto half = records.begin() + 150;
  std::thread other(
      [mine = std::vector<BamRecord>(std::make_move_iterator(half), std::make_move_iterator(records.end()))]() mutable {
        mine.clear();
      });
  records.erase(records.begin(), half);
  other.join();
}

TEST_CASE("memory of records that one thread returned is used by another", "[records][record]") {
  const auto pool = std::make_shared<ChunkPool>(5000);
  void* const first = pool->take();
  void* const second = pool->take();
  CHECK(first != second);
  pool->give_back(first);
  CHECK(pool->take() == first);
  pool->give_back(first), pool->give_back(second);
  const Read read("a", "", "ACGT", "IIII");
  const auto records_of = [&](BamMemory& memory) {
    std::vector<BamRecord> records;
    for (int i = 0; i < 20; ++i) records.emplace_back(AlignmentRecord{}, read.view(), "", false, memory);
    return records;
  };
  const void* first_address = nullptr;
  std::thread([&] {
    BamMemory memory(pool);
    first_address = records_of(memory).front().get();
  }).join();
  BamMemory memory(pool);
  const std::vector<BamRecord> records = records_of(memory);
  CHECK(records.front().get() == first_address);
}

TEST_CASE("chunks of any size do not overlap", "[records][record]") {
  const std::uint64_t bytes = GENERATE(as<std::uint64_t>{}, 1, 1000, 1 << 16, 30 << 20, 200 << 20);
  CAPTURE(bytes);
  constexpr int count = 5000;  // more than one slab holds
  const int taken = bytes < 1 << 20 ? count : 5;
  ChunkPool pool(bytes);
  std::vector<std::uint64_t*> chunks;
  for (int i = 0; i < taken; ++i) {
    chunks.push_back(static_cast<std::uint64_t*>(pool.take()));
    REQUIRE(reinterpret_cast<std::uintptr_t>(chunks.back()) % alignof(std::max_align_t) == 0);
    chunks.back()[0] = chunks.back()[pool.chunk_bytes() / 8 - 1] = static_cast<std::uint64_t>(i);
  }
  CHECK(pool.chunk_bytes() >= bytes);
  int kept = 0;
  for (int i = 0; i < taken; ++i) {
    const std::uint64_t* const chunk = chunks[static_cast<std::size_t>(i)];
    const auto number = static_cast<std::uint64_t>(i);
    kept += chunk[0] == number && chunk[pool.chunk_bytes() / 8 - 1] == number ? 1 : 0;
  }
  CHECK(kept == taken);
}

TEST_CASE("a record that fails to build leaves its memory unchanged", "[records][record]") {
  BamMemory memory;
  const Read good("a", "", "ACGT", "IIII"), bad("b", "no tag", "ACGT", "IIII");
  const BamRecord before({}, good.view(), "", false, memory);
  for (int i = 0; i < 1000; ++i) CHECK_THROWS(BamRecord({}, bad.view(), "", true, memory));
  const BamRecord after({}, good.view(), "", false, memory);
  CHECK(content_of(before) == content_of(after));
}
