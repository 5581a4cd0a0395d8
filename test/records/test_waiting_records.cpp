// What is known of records before they are sorted, against sums and scores of all of them at once.
#include "records/waiting_records.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "catch.hpp"
#include "records/bam_memory.hpp"
#include "records/duplicate_rule.hpp"
#include "records/fragments.hpp"
#include "records/record_block.hpp"
#include "records/record_order.hpp"

namespace warpseed::records {

namespace {

std::vector<BamRecord> copies_of(const std::vector<BamRecord>& records) {
  BamMemory memory;
  std::vector<BamRecord> copies;
  for (const BamRecord& record : records) copies.emplace_back(*record.get(), memory);
  return copies;
}

}  // namespace

TEST_CASE("records that wait are added up by any number of threads", "[records][writer]") {
  const unsigned count = GENERATE(0U, 1U, 900U, 9000U);  // several tasks, whose borders mates would cross
  const test::Fragments fragments(7 + count, count, 400);
  const std::vector<BamRecord> wanted = copies_of(fragments.records);
  const std::int64_t longest = store_scores(wanted);
  std::uint64_t packed = 0, memory = 0;
  for (const BamRecord& record : wanted) {
    packed += packed_bytes(*record.get());
    memory += waiting_bytes(record.get()->m_data);
  }
  for (const int threads : {1, 2, 5}) {
    const WaitingRecords got = waiting_records(copies_of(fragments.records), true, threads);
    CAPTURE(count, threads);
    CHECK(got.packed_bytes == packed);
    CHECK(got.memory_bytes == memory);
    CHECK(got.longest_span == longest);
    REQUIRE(got.records.size() == wanted.size());
    REQUIRE(got.keys.size() == wanted.size());
    std::size_t same = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const bam1_t *const a = got.records[i].get(), *const b = wanted[i].get();
      same += a->id == b->id && a->core.pos == b->core.pos && got.keys[i] == coordinate_key(b) ? 1 : 0;
    }
    CHECK(same == wanted.size());
  }
}

TEST_CASE("records that wait keep what they hold in place of a score if none is wanted", "[records][writer]") {
  const test::Fragments fragments(3, 50, 8);
  std::vector<BamRecord> records = copies_of(fragments.records);
  for (std::size_t i = 0; i < records.size(); ++i) records[i].get()->id = i + 1;
  const WaitingRecords got = waiting_records(std::move(records), false, 2);
  CHECK(got.longest_span == 0);
  for (std::size_t i = 0; i < got.records.size(); ++i) CHECK(got.records[i].get()->id == i + 1);
}

}  // namespace warpseed::records
