// Plain pairs: the records that are made directly are those made by way of AlignmentRecords, on every backend.
#include <htslib/sam.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "align/record/plain_pairs.hpp"
#include "align/report/align_statistics.hpp"
#include "batch_reads.hpp"
#include "catch.hpp"
#include "devices.hpp"
#include "records/bam_bytes.hpp"
#include "records/bam_memory.hpp"

using namespace warpseed;
using namespace warpseed::test;

namespace {

std::string bytes_of(const BamRecord& record) {
  std::string bytes(bam_size(*record.get()), '\0');
  put_bam(*record.get(), bytes.data());
  return bytes;
}

/// Pairs, some with a gap, with qualities or without, of several read groups, one in ten failed by the sequencer.
ReadBatch with_details(const ReadBatch& pairs, std::mt19937& rng) {
  ReadBatch batch;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::size_t pair = i / 2;
    const std::string name = std::string(1 + pair % 9, 'n') + std::to_string(pair);
    std::string bases(pairs[i].bases), qualities;
    if (i % 7 == 0 && bases.size() > 50) bases.erase(1 + rng() % (bases.size() - 5), 1 + rng() % 4);
    if (i % 5 == 0) bases.insert(rng() % (bases.size() + 1), test::random_bases(1 + rng() % 4, rng));
    if (pair % 11 == 3 && !bases.empty())
      bases[rng() % bases.size()] = "RyKnacgtu"[pair % 9];  // a device has only ACGTN
    for (std::size_t k = 0; k < bases.size() && pair % 5 != 0; ++k) qualities += static_cast<char>('!' + rng() % 60);
    ReadView read = {name, "comment", bases, qualities};
    read.read_group = static_cast<std::uint32_t>(pair % 3);
    read.qc_fail = pair % 10 == 0;
    batch.add(read);
  }
  return batch;
}

/// Where gaps are cheap, many reads have one.
AlignOptions options_for(std::span<const std::uint8_t> alt_contigs, bool gaps_are_cheap) {
  AlignOptions options;
  options.alt_contigs = alt_contigs;
  if (gaps_are_cheap) {
    options.scoring.deletion_open = options.scoring.insertion_open = 2;
    options.scoring.clip_begin = options.scoring.clip_end = 0;
  }
  return options;
}

struct Made {
  std::uint64_t plain = 0, other = 0, with_gap = 0;
};

auto numbers_of(const PositionCounts& counts) {
  return std::array{counts.reads,    counts.aligned,   counts.mismatches,
                    counts.inserted, counts.deletions, counts.soft_clipped};
}

void require_same_statistics(const AlignStatistics& got, const AlignStatistics& wanted) {
  CHECK(got.counts.reads == wanted.counts.reads);
  CHECK(got.counts.both_mapped == wanted.counts.both_mapped);
  CHECK(got.counts.unique == wanted.counts.unique);
  CHECK(got.counts.repeated == wanted.counts.repeated);
  CHECK(got.counts.proper_unique == wanted.counts.proper_unique);
  CHECK(got.counts.proper_repeated == wanted.counts.proper_repeated);
  CHECK(got.counts.discordant_unique == wanted.counts.discordant_unique);
  CHECK(got.counts.rest_repeated == wanted.counts.rest_repeated);
  CHECK(got.mapping_qualities == wanted.mapping_qualities);
  CHECK(got.window_bases == wanted.window_bases);
  REQUIRE(got.insert_sizes.size() == wanted.insert_sizes.size());
  for (std::size_t i = 0; i < got.insert_sizes.size(); ++i) {
    CHECK(got.insert_sizes[i].pairs == wanted.insert_sizes[i].pairs);
    CHECK(got.insert_sizes[i].sizes == wanted.insert_sizes[i].sizes);
    CHECK(got.insert_sizes[i].orientations == wanted.insert_sizes[i].orientations);
  }
  for (std::size_t end = 0; end < 2; ++end) {
    CHECK(got.profiles[end].bases == wanted.profiles[end].bases);
    CHECK(std::ranges::equal(got.ends[end].positions(), wanted.ends[end].positions(), {}, numbers_of, numbers_of));
  }
}

/// Requires that the plain pairs of an aligned batch have the records and statistics of RecordBuilder.
Made require_same_records(const Aligner& aligner, AlignedBatch aligned, const ReadBatch& reads,
                          const text::GenomeView& genome) {
  const std::vector<std::string> groups = {"", "one", "two"};
  std::optional<PlainPairs> plain_pairs = aligner.plain_pairs();
  REQUIRE(plain_pairs.has_value());
  RecordBuilder builder = aligner.record_builder();
  BamMemory memory;
  Made made;
  CoverageMap coverage(genome), wanted_coverage(genome);
  AlignStatistics statistics(true, &coverage), wanted_statistics(true, &wanted_coverage);
  for (std::size_t i = 0; i < reads.size(); i += 2) {
    CAPTURE(i);
    const std::optional<AlignedPair> pair = aligner.pair_at(aligned, i);
    REQUIRE(pair.has_value());
    std::vector<BamRecord> got;
    const bool plain = plain_pairs->add(*pair, {reads[i], reads[i + 1]}, groups, memory, got);
    const auto [first, second] = builder.pair(pair->first, pair->second, pair->choices);
    const auto is_plain = [](const ReadRecords& records) {
      const AlignmentRecord& record = records.front();
      return records.size() == 1 && is_mapped(record) && record.alternatives.empty() && record.share_of_alt < 0;
    };
    REQUIRE(plain == (is_plain(first) && is_plain(second)));
    ++(plain ? made.plain : made.other);
    if (!plain) {
      REQUIRE(got.empty());
      continue;
    }
    REQUIRE(got.size() == 2);
    statistics.add_plain_pair(reads[i], reads[i + 1], pair->choices, *got[0].get(), *got[1].get());
    wanted_statistics.add_pair(reads[i], reads[i + 1], first, second);
    for (std::size_t mate = 0; mate < 2; ++mate) {
      const AlignmentRecord& record = (mate == 0 ? first : second).front();
      const BamRecord wanted(record, reads[i + mate], groups[reads[i + mate].read_group], false, memory);
      REQUIRE(bytes_of(got[mate]) == bytes_of(wanted));
      made.with_gap += record.cigar.size() > 2 ? 1 : 0;  // or clipped at both ends
    }
  }
  require_same_statistics(statistics, wanted_statistics);
  return made;
}

}  // namespace

TEST_CASE("plain pairs have the records of all pairs", "[align][backend][records]") {
  std::mt19937 rng(61);
  const test::BaseWorld world = repeat_world(rng);
  const std::vector<std::uint8_t> alt = {0, 0, 0, 1};
  const ReadBatch reads = with_details(draw_pairs(world.index->genome(), 1500, rng), rng);
  for (const bool gaps_are_cheap : {false, true}) {
    const AlignOptions options = options_for(alt, gaps_are_cheap);
    for (const Backend& backend : available_backends(2)) {
      CAPTURE(to_string(backend), gaps_are_cheap);
      Aligner aligner(*world.index, options, true, backend);
      AlignmentBatch memory;
      const AlignedBatch aligned = aligner.finish(aligner.learn(aligner.begin(aligner.prepare(reads, memory))));
      const Made made = require_same_records(aligner, aligned, reads, world.index->genome());
      CHECK(made.plain > 100);
      CHECK(made.other > 100);
      CHECK(made.with_gap > 20);
    }
  }
}

/// The second batch of the same reads: after the first one the insert sizes of all read groups are known.
AlignedBatch align_twice(Aligner& aligner, const ReadBatch& reads, AlignmentBatch& memory) {
  aligner.set_insert_sizes(given_insert_sizes(300, 50, 0, 0, AlignOptions().scoring));
  aligner.finish(aligner.learn(aligner.begin(aligner.prepare(reads, memory))));
  return aligner.finish(aligner.learn(aligner.begin(aligner.prepare(reads, memory))));
}

TEST_CASE("a device makes the records of plain pairs", "[align][backend][gpu][records]") {
  std::mt19937 rng(63);
  const test::BaseWorld world = repeat_world(rng);
  const std::vector<std::uint8_t> alt = {0, 0, 0, 1};
  const std::vector<std::string> groups = {"", "one", "two"};
  const ReadBatch reads = with_details(draw_pairs(world.index->genome(), 3000, rng), rng);
  for (const bool gaps_are_cheap : {false, true}) {
    const AlignOptions options = options_for(alt, gaps_are_cheap);
    Aligner on_cpu(*world.index, options, true);
    AlignmentBatch cpu_memory;
    const AlignedBatch wanted = align_twice(on_cpu, reads, cpu_memory);
    for (const Backend& device : test::devices()) {
      CAPTURE(to_string(device), gaps_are_cheap);
      Aligner aligner(*world.index, options, true, device);
      aligner.let_backend_make_records(groups);
      AlignmentBatch memory;
      const AlignedBatch aligned = align_twice(aligner, reads, memory);
      std::optional<PlainPairs> plain_pairs = on_cpu.plain_pairs();
      BamMemory records;
      std::uint64_t made_there = 0, plain_ones = 0;
      for (std::size_t i = 0; i < reads.size(); i += 2) {
        CAPTURE(i);
        std::vector<BamRecord> got, expected;
        const bool taken = aligner.take_records(aligned, i, got);
        const bool plain =
            plain_pairs->add(on_cpu.pair_at(wanted, i).value(), {reads[i], reads[i + 1]}, groups, records, expected);
        plain_ones += plain ? 1 : 0, made_there += taken ? 1 : 0;
        if (!taken) continue;
        REQUIRE(plain);
        for (std::size_t mate = 0; mate < 2; ++mate) REQUIRE(bytes_of(got[mate]) == bytes_of(expected[mate]));
      }
      CHECK(made_there > plain_ones / 2);
    }
  }
}

TEST_CASE("a read with tags, or with a name that BAM does not hold, has no plain record", "[align][records]") {
  std::mt19937 rng(62);
  const test::BaseWorld world({{"a", test::random_bases(3000, rng)}});
  std::vector<std::uint8_t> codes(100);
  fetch_codes(world.index->genome(), 1000, 1100, codes.data());
  const std::string first = test::letters_of(codes);
  fetch_codes(world.index->genome(), 1200, 1300, codes.data());
  const std::string second = test::reverse_complement(test::letters_of(codes));
  const std::string long_name(255, 'n'), tag("XYC\1", 4), qualities(100, 'I');
  Aligner aligner(*world.index, AlignOptions{}, true);
  const std::vector<std::pair<ReadView, bool>> cases = {
      {{"n", "", first, qualities}, true},
      {{std::string_view(long_name).substr(1), "", first, qualities}, true},
      {{long_name, "", first, qualities}, false},
      {{"n", "", first, qualities, tag}, false},
      {{"n", "", first, std::string_view(qualities).substr(1)}, false}};
  for (const auto& [read, plain] : cases) {
    ReadBatch reads;
    reads.add("n", "", first, qualities), reads.add("n", "", second, qualities);
    AlignmentBatch memory;
    const AlignedBatch aligned = aligner.finish(aligner.learn(aligner.begin(aligner.prepare(reads, memory))));
    BamMemory records;
    std::vector<BamRecord> made;
    std::optional<PlainPairs> plain_pairs = aligner.plain_pairs();
    CHECK(plain_pairs->add(aligner.pair_at(aligned, 0).value(), {read, reads[1]}, {""}, records, made) == plain);
    CHECK(made.size() == (plain ? 2 : 0));
  }
}

TEST_CASE("options that ask for more of every record leave no plain pairs", "[align][records]") {
  const auto fits = [](auto change) {
    AlignOptions options;
    change(options);
    return PlainPairs::fit(options);
  };
  CHECK(fits([](AlignOptions&) {}));
  CHECK_FALSE(fits([](AlignOptions& options) { options.report_all = true; }));
  CHECK_FALSE(fits([](AlignOptions& options) { options.ds = true; }));
  CHECK_FALSE(fits([](AlignOptions& options) { options.eqx = true; }));
  CHECK_FALSE(fits([](AlignOptions& options) { options.cs = CsTag::long_form; }));
}
