// Merged runs, in memory and on disk, against std::stable_sort.
#include <cstdlib>
#include <tuple>

#include "catch.hpp"
#include "devices.hpp"
#include "records/bam_memory.hpp"
#include "records/record_order.hpp"
#include "records/record_runs.hpp"
#include "records/writer_helpers.hpp"

using namespace warpseed;
using namespace warpseed::records;
using test::RecordBuilder;

namespace {

auto fields_of(const bam1_t* bam) {
  const bam1_core_t& core = bam->core;
  return std::tuple(bam->id, core.tid, core.pos, core.flag, core.qual, core.n_cigar, core.l_qseq, core.l_qname,
                    core.l_extranul, core.bin, core.mtid, core.mpos, core.isize,
                    std::vector<std::uint8_t>(bam->data, bam->data + bam->l_data));
}

bool is_before(const BamRecord& a, const BamRecord& b) {
  return coordinate_key(a.get()) < coordinate_key(b.get());
}

/// All records in their input order, which the runs get in batches, one of them empty.
std::vector<BamRecord> add_runs(RecordRuns& runs, RecordBuilder& builder, const Backend& backend = {}) {
  std::vector<BamRecord> all;
  BamMemory memory;
  for (const std::uint64_t count : {300, 1, 9500, 700, 700}) {
    std::vector<std::vector<BamRecord>> records(3);
    for (std::uint64_t i = 0; i < count; ++i) {
      BamRecord record = builder.next();
      record.get()->id = builder.rng();
      all.emplace_back(*record.get(), memory);
      records[i < count / 10 * 9 ? 0 : 2].push_back(std::move(record));
    }
    std::vector<WaitingRecords> batches;
    for (auto& batch : records) batches.push_back(waiting_records(std::move(batch), false, 2));
    runs.add(std::move(batches), backend);
  }
  return all;
}

/// Adds runs, reads ranges, and forgets all; twice.
void check_merge(const Backend& backend, int threads, const RunSizes& sizes, std::uint64_t range_bytes) {
  CAPTURE(to_string(backend), sizes.held_bytes, sizes.block_bytes, sizes.device_bytes, range_bytes, threads);
  const test::TempFolder folder;
  RecordRuns runs(folder.file("x.bam"), threads, sizes);
  RecordBuilder builder(41);
  for (int again = 0; again < 2; ++again) {
    std::vector<BamRecord> all = add_runs(runs, builder, backend);
    std::stable_sort(all.begin(), all.end(), is_before);
    std::size_t same = 0, got = 0, bytes = 0;
    for (const BamRecord& record : all) bytes += packed_bytes(*record.get());
    CHECK(runs.bytes() == bytes);
    SortedRecords records;  // its memory is reused
    for (const RunRange& range : runs.ranges(range_bytes, 0)) {
      runs.read(range, 0, records);
      CHECK(records.of_range().size() == records.sorted.size());
      for (const bam1_t* record : records.of_range()) {
        same += fields_of(record) == fields_of(all.at(got++).get()) ? 1 : 0;
      }
    }
    CHECK(got == all.size());
    CHECK(same == all.size());
    runs.clear();
    CHECK(runs.bytes() == 0);
  }
  CHECK(folder.names().empty());
}

}  // namespace

TEST_CASE("merged runs equal std::stable_sort of their concatenation", "[records][runs]") {
  const RunSizes sizes = {GENERATE(0ULL, 300000ULL, 1ULL << 30), GENERATE(1ULL, 700ULL, 100000ULL)};
  const std::uint64_t range_bytes = GENERATE(1ULL, 30000ULL, 1ULL << 30);
  check_merge(Backend{}, GENERATE(1, 3), sizes, range_bytes);
}

TEST_CASE("runs on devices are merged like others, also where these have room for some", "[records][runs][gpu]") {
  // A block of a device is a copy: blocks and ranges of one record each are left to the test of runs on the host.
  const auto [block_bytes, range_bytes] =
      GENERATE(table<std::uint64_t, std::uint64_t>({{1, 30000}, {100000, 2000}, {100000, std::uint64_t{1} << 30}}));
  const RunSizes sizes = {GENERATE(0ULL, 300000ULL), block_bytes, GENERATE(0ULL, 300000ULL, 2ULL << 20, ~0ULL)};
  for (const Backend& device : test::devices()) check_merge(device, 3, sizes, range_bytes);
}

TEST_CASE("a range comes with all records near it", "[records][runs]") {
  const std::int64_t around = GENERATE(1, 40, 3000, 1 << 30);
  const std::uint64_t block_bytes = GENERATE(1ULL, 3000ULL);
  CAPTURE(around, block_bytes);
  const test::TempFolder folder;
  RecordRuns runs(folder.file("x.bam"), 2, {0, block_bytes});
  RecordBuilder builder(42);
  std::vector<BamRecord> all = add_runs(runs, builder);
  std::stable_sort(all.begin(), all.end(), is_before);
  const auto is_near = [&](const bam1_t* a, const bam1_t* b) {
    return a->core.tid >= 0 && a->core.tid == b->core.tid && std::abs(a->core.pos - b->core.pos) <= around;
  };
  const std::vector<RunRange> ranges = runs.ranges(20000, around);
  CHECK(ranges.size() > 5);
  std::size_t done = 0;
  std::int64_t last_begin = -1;
  for (const RunRange& range : ranges) {
    SortedRecords records;
    runs.read(range, around, records);
    REQUIRE(!records.of_range().empty());
    const bam1_t *first = records.of_range().front(), *last = records.of_range().back();
    std::size_t next = 0;  // in records.sorted
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool own = i >= done && i < done + records.of_range().size();
      if (!own && !is_near(all[i].get(), first) && !is_near(all[i].get(), last)) continue;
      while (next < records.sorted.size() && fields_of(records.sorted[next]) != fields_of(all[i].get())) ++next;
      REQUIRE(next < records.sorted.size());
      REQUIRE((next >= records.begin && next < records.end) == own);
    }
    done += records.of_range().size();
    const std::uint64_t key = range.begin.key;
    if (key != ~std::uint64_t{0} && contig_of_key(key) == 0) {
      CHECK((last_begin < 0 || position_of_key(key) - last_begin > around));
      last_begin = position_of_key(key);
    }
  }
  CHECK(done == all.size());
}
