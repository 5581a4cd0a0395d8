// Merged runs on disk, against std::stable_sort.
#include <tuple>

#include "catch.hpp"
#include "records/record_runs.hpp"
#include "records/writer_helpers.hpp"

using namespace warpseed;
using namespace warpseed::records;
using test::RecordBuilder;

namespace {

auto fields_of(const BamRecord& record) {
  const bam1_t* bam = record.get();
  const bam1_core_t& core = bam->core;
  return std::tuple(bam->id, core.tid, core.pos, core.flag, core.qual, core.n_cigar, core.l_qseq, core.l_qname,
                    core.l_extranul, core.bin, core.mtid, core.mpos, core.isize,
                    std::vector<std::uint8_t>(bam->data, bam->data + bam->l_data));
}

bool comes_before(const BamRecord& a, const BamRecord& b) {
  return coordinate_key(a.get()) < coordinate_key(b.get());
}

}  // namespace

TEST_CASE("merged runs equal std::stable_sort of their concatenation", "[records][runs]") {
  const RunSizes sizes = {GENERATE(1ULL, 700ULL, 100000ULL), GENERATE(1ULL, 3000ULL, 1000000ULL)};
  const int threads = GENERATE(1, 3);
  CAPTURE(sizes.block_bytes, sizes.merged_bytes, threads);
  const test::TempFolder folder;
  RecordRuns runs(folder.file("x.bam"), threads, sizes);
  RecordBuilder builder(41);
  for (int again = 0; again < 2; ++again) {
    std::vector<BamRecord> all;
    for (const std::uint64_t count : {300, 0, 1, 5000, 700, 700}) {
      std::vector<BamRecord> run = builder.batch(count);
      for (BamRecord& record : run) record.get()->id = builder.rng();
      std::stable_sort(run.begin(), run.end(), comes_before);
      runs.begin_run();
      const std::span<const BamRecord> records(run);
      runs.write(records.first(records.size() / 3));
      runs.write(records.subspan(records.size() / 3));
      std::move(run.begin(), run.end(), std::back_inserter(all));
    }
    CHECK_FALSE(runs.empty());
    std::stable_sort(all.begin(), all.end(), comes_before);
    std::size_t same = 0, got = 0;
    runs.merge([&](const std::vector<BamRecord>& records) {
      for (const BamRecord& record : records) same += fields_of(record) == fields_of(all.at(got++)) ? 1 : 0;
    });
    CHECK(got == all.size());
    CHECK(same == all.size());
    CHECK(runs.empty());
  }
  CHECK(folder.names().empty());
}
