// Runs on pairs with single reads among them: each read is aligned as among its own kind, in input order, and slices of
// reads, from which insert sizes are learnt, do not depend on the size of batches.
#include <fmt/format.h>

#include "align/pair/first_part.hpp"
#include "align/pipeline/align_run.hpp"
#include "base_world.hpp"
#include "catch.hpp"
#include "core/temp_folder.hpp"
#include "devices.hpp"
#include "records/writer_helpers.hpp"

namespace {

using namespace warpseed;
using namespace warpseed::align;
using namespace warpseed::reads;
using namespace warpseed::records;

const AlignOptions usual_options;

/// The CPU's batch aligner with batches of several slices, as devices have them.
class LargeBatches final : public BatchAligner {
 public:
  LargeBatches(const index::Index& index, std::uint64_t slices)
      : inner_(make_batch_aligner(index.fm(), index.genome(), usual_options, {})), slices_(slices) {}

  std::uint64_t batch_reads() const override { return slices_ * Aligner::slice_reads; }
  unsigned concurrent_batches() const override { return 2; }
  std::unique_ptr<AlignmentJob> begin(std::span<ReadAlignments> aligned, std::uint64_t first_number,
                                      const SelectionRequest* selection) override {
    return inner_->begin(aligned, first_number, selection);
  }
  StageTimes times() const override { return {}; }

 private:
  std::unique_ptr<BatchAligner> inner_;
  const std::uint64_t slices_;
};

/// Pairs of a genome with a repeat, of which some have lost a mate; the later ones come from longer fragments.
struct MixedReads {
  std::mt19937 rng{81};
  std::string bases = test::random_bases(4000, rng);
  test::TempFolder folder;
  std::string mixed, pairs, singles;
  std::uint64_t reads = 0;
  bool parts_mates = false;  // a slice ends between two mates

  explicit MixedReads(std::uint64_t count) {
    bases += bases.substr(0, 1500) + test::random_bases(3000, rng);
    for (std::uint64_t i = 0; i < count; ++i) add(i, i < count / 2 ? 250 : 330);
    folder.write("mixed.fq", mixed), folder.write("pairs.fq", pairs), folder.write("singles.fq", singles);
  }

 private:
  void add(std::uint64_t i, std::size_t insert) {
    const std::size_t size = insert + rng() % 40, begin = rng() % (bases.size() - size);
    const std::string mates[] = {read(i, test::changed(bases.substr(begin, 70), {rng() % 70})),
                                 read(i, test::reverse_complement(bases.substr(begin + size - 70, 70)))};
    if (rng() % 4 == 0) {
      const std::string& single = mates[rng() % 2];
      mixed += single, singles += single, ++reads;
      return;
    }
    parts_mates = parts_mates || (reads + 1) % Aligner::slice_reads == 0;
    for (const std::string& mate : mates) mixed += mate, pairs += mate, ++reads;
  }
  static std::string read(std::uint64_t i, const std::string& read) {
    return fmt::format("@r{}\n{}\n+\n{}\n", i, read, std::string(read.size(), 'I'));
  }
};

/// The records of a file, and of what the aligner has learnt.
struct Run {
  std::vector<std::string> records;
  double mean = 0, deviation = 0;
  AlignCounts counts;

  Run(const MixedReads& reads, const std::string& file, Aligner& aligner, int threads = 2) {
    ReadInput input;
    input.path1 = reads.folder.file(file);
    input.interleaved = input.with_singles = file != "singles.fq";
    WriterOptions writing;
    writing.path = reads.folder.file("out.sam");
    const auto writer = open_alignments({{{"c", reads.bases.size()}}, {}, "test", {}, {}}, writing);
    RunOptions options;
    options.threads = threads;
    counts = run_alignment(*open_reads(input), aligner, *writer, options).statistics.counts;
    writer->finish();
    records = test::lines_in(writing.path);
    const InsertSizeDistribution& fr = aligner.insert_sizes().of(0)[Orientation::fr];
    mean = fr.mean, deviation = fr.deviation;
  }
};

bool is_of_pair(const std::string& record) {
  return std::stoi(record.substr(record.find('\t') + 1)) % 2 != 0;
}

}  // namespace

TEST_CASE("the first part of a read begins first, of equals the first one", "[align][mixed]") {
  std::vector<Alignment> parts(5);
  const std::uint32_t begins[] = {40, 10, 10, 5, 0}, ends[] = {100, 60, 70, 50, 90};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i].query_begin = begins[i], parts[i].query_end = ends[i], parts[i].score = 50;
  }
  parts[3].alt = true;
  parts[4].score = 20;
  CHECK(first_part(std::span<const Alignment>(parts), 100, 30) == 1);
  parts[0].reverse = true;  // begins at 0
  CHECK(first_part(std::span<const Alignment>(parts), 100, 30) == 0);
  for (Alignment& part : parts) part.score = 0;
  parts[1].score = 50;
  CHECK(first_part(std::span<const Alignment>(parts), 100, 30) == no_alignment);
}

TEST_CASE("pairs and single reads in one run are aligned as in two", "[align][mixed]") {
  const MixedReads reads(2000);
  const test::BaseWorld world({{"c", reads.bases}});
  AlignOptions options;
  options.first_part_primary = GENERATE(false, true);
  Aligner of_mixed(*world.index, options, true), of_pairs(*world.index, options, true),
      of_singles(*world.index, options, false);
  const Run mixed(reads, "mixed.fq", of_mixed), pairs(reads, "pairs.fq", of_pairs),
      singles(reads, "singles.fq", of_singles);
  REQUIRE(mixed.records.size() == pairs.records.size() + singles.records.size());
  std::vector<std::string> of_pair, single;
  for (const std::string& record : mixed.records) (is_of_pair(record) ? of_pair : single).push_back(record);
  CHECK(of_pair == pairs.records);
  CHECK(single == singles.records);
  int last = -1;  // the names are numbers
  for (const std::string& record : mixed.records) {
    const int number = std::stoi(record.substr(1));
    REQUIRE(number >= last);
    last = number;
  }
  CHECK(mixed.mean == pairs.mean);
  CHECK(mixed.counts.reads == reads.reads);
  CHECK(mixed.counts.pairs() == pairs.counts.pairs());
  CHECK(mixed.counts.proper() == pairs.counts.proper());
  CHECK(mixed.counts.singles_among_pairs() == singles.counts.reads);
  CHECK(mixed.counts.single_unique == singles.counts.unique);
}

TEST_CASE("batches of several slices learn what batches of one learn", "[slow][align][mixed]") {
  const MixedReads reads(40000);
  REQUIRE(reads.reads > 2 * Aligner::slice_reads);
  REQUIRE(reads.parts_mates);
  const test::BaseWorld world({{"c", reads.bases}});
  Aligner small(*world.index, usual_options, true);
  const Run wanted(reads, "mixed.fq", small);
  for (const int threads : {1, 2}) {
    CAPTURE(threads);
    auto batch_aligner = std::make_unique<LargeBatches>(*world.index, 3);
    Aligner large(*world.index, usual_options, true, ready(std::move(batch_aligner)), 2);
    const Run run(reads, "mixed.fq", large, threads);
    CHECK(run.mean == wanted.mean);
    CHECK(run.deviation == wanted.deviation);
    CHECK(run.records == wanted.records);
  }
}

TEST_CASE("a slice ends at the same read in batches of any size", "[align][mixed]") {
  // 25 pairs make insert sizes known. One has a mate on either side of the end of the first large batch, 23 follow in
  // the third slice, and the last one begins with the fourth, so that it alone is chosen by them.
  constexpr std::uint64_t slice = Aligner::slice_reads;
  MixedReads reads(0);
  std::string text;
  for (std::uint64_t i = 0; i < 3 * slice + 100; ++i) {
    const bool pair = i == 2 * slice - 1 || i == 3 * slice || (i > 2 * slice && i % 1000 == 0 && i < 2 * slice + 23000);
    if (!pair) {
      text += fmt::format("@s{}\nACGT\n+\nIIII\n", i);
      continue;
    }
    const std::size_t begin = 1600 + i % 2000;
    for (const std::string& mate :
         {reads.bases.substr(begin, 70), test::reverse_complement(reads.bases.substr(begin + 180, 70))}) {
      text += fmt::format("@p{}\n{}\n+\n{}\n", i, mate, std::string(70, 'I'));
    }
    ++i;
  }
  reads.folder.write("mixed.fq", text);
  const test::BaseWorld world({{"c", reads.bases}});
  const auto proper_pairs = [&](Aligner& aligner) { return Run(reads, "mixed.fq", aligner).counts.proper(); };
  Aligner small(*world.index, usual_options, true);
  CHECK(proper_pairs(small) == 1);
  Aligner large(*world.index, usual_options, true, ready(std::make_unique<LargeBatches>(*world.index, 2)), 2);
  CHECK(proper_pairs(large) == 1);
}

TEST_CASE("devices align pairs and single reads as the CPU does", "[gpu][align][mixed]") {
  const std::vector<Backend> devices = test::devices();
  if (devices.empty()) return;
  const MixedReads reads(60000);
  const test::BaseWorld world({{"c", reads.bases}});
  Aligner cpu(*world.index, usual_options, true);
  const Run wanted(reads, "mixed.fq", cpu);
  for (const Backend& device : devices) {
    for (const std::uint64_t memory_bytes : {0, 256 << 20}) {  // the second: one batch at a time
      CAPTURE(to_string(device), memory_bytes);
      Aligner aligner(*world.index, usual_options, true, device, memory_bytes);
      const Run run(reads, "mixed.fq", aligner);
      CHECK(run.mean == wanted.mean);
      CHECK(run.records == wanted.records);
    }
  }
}
