// Alignments of reads in batches, on every backend, compared with one read at a time on the CPU.
#include "batch_reads.hpp"
#include "catch.hpp"
#include "devices.hpp"
#include "message_of.hpp"

using namespace warpseed;
using namespace warpseed::test;

TEST_CASE("a batch of reads gets the alignments that its reads get alone", "[align][backend][batch]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  CAPTURE(to_string(backend));
  std::mt19937 rng(53);
  const test::BaseWorld world = repeat_world(rng);
  const GenomeView& genome = world.index->genome();
  const std::vector<std::uint8_t> alt = {0, 0, 0, 1};
  AlignOptions options;
  options.max_diagonals = GENERATE(1024U, 64U);
  if (options.max_diagonals == 64) options.alt_contigs = std::span(alt), options.scoring.mismatch = 3;
  ReadBatch reads;
  for (int i = 0; i < 2500; ++i)
    reads.add("r", "", i == 7 ? test::random_bases(40000, rng) : draw_read(genome, rng), "");
  const auto read_aligner = make_batch_aligner(world.index->fm(), genome, options, backend);
  ReadAligner alone(world.index->fm(), genome, options);
  std::size_t alignments = 0, second = 0, chosen = 0;
  for (const std::size_t size : {reads.size(), std::size_t{1}, std::size_t{0}, std::size_t{600}}) {
    std::vector<ReadAlignments> aligned(size);
    for (std::size_t i = 0; i < size; ++i) aligned[i].read.assign(reads[i].bases);
    align_all(*read_aligner, aligned, 1000);
    for (std::size_t i = 0; i < size; ++i) {
      CAPTURE(size, i, reads[i].bases.size());
      std::vector<ReadAlignments> one(1);
      one[0].read.assign(reads[i].bases);
      alone.align(one, 1000 + i);
      require_same(aligned[i], one[0]);
      for (const Alignment& alignment : one[0].alignments) second += alignment.second_score > 0 ? 1 : 0;
      alignments += one[0].alignments.size();
    }
    const std::vector<std::uint32_t> groups(size);
    std::vector<Choice> choices(size);
    const SelectionRequest selection = {false, groups, nullptr, choices};
    read_aligner->begin(aligned, 1000, &selection)->wait();
    for (std::size_t i = 0; i < size; ++i) {
      const ReadAlignments& read = aligned[i];
      const Choice wanted = choose_single(std::span(read.alignments), read.traits, options);
      REQUIRE(std::tie(choices[i].primary, choices[i].mapq) == std::tie(wanted.primary, wanted.mapq));
      chosen += wanted.mapq > 0 ? 1 : 0;
    }
  }
  CHECK(chosen > 1000);
  CHECK(alignments > 10000);
  CHECK(second > 1000);
}

TEST_CASE("with any seed options, a batch gets the alignments that its reads get alone", "[align][backend][batch]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  CAPTURE(to_string(backend));
  std::mt19937 rng(51);
  const test::BaseWorld world = repeat_world(rng);
  AlignOptions options;
  options.max_occurrences = GENERATE(500U, 20U);
  options.min_seed = GENERATE(19U, 10U);  // short ones exceed a device's initial allocation
  const std::uint64_t narrow_rows = GENERATE(narrow_limit, std::uint64_t{1000});  // 1000: simulates a longer text
  CAPTURE(options.max_occurrences, options.min_seed, narrow_rows);
  std::vector<ReadAlignments> aligned(600);
  for (ReadAlignments& read : aligned) read.read.assign(draw_read(world.index->genome(), rng));
  std::vector<ReadAlignments> alone = aligned;
  const auto read_aligner =
      make_batch_aligner(world.index->fm(), world.index->genome(), options, backend, AlignerLimits{0, narrow_rows});
  align_all(*read_aligner, aligned, 0);
  ReadAligner one_by_one(world.index->fm(), world.index->genome(), options);
  std::size_t repetitive = 0;
  for (std::size_t i = 0; i < aligned.size(); ++i) {
    CAPTURE(i, aligned[i].read.length());
    one_by_one.align(std::span(alone).subspan(i, 1), i);
    require_same(aligned[i], alone[i]);
    repetitive += alone[i].traits.repetitive;
  }
  CHECK(repetitive > 200);
}

TEST_CASE("where a device's memory is short fewer reads are aligned at a time, with the same result",
          "[align][gpu][batch]") {
  std::mt19937 rng(55);
  const test::BaseWorld world = repeat_world(rng);
  const AlignOptions options;
  std::vector<ReadAlignments> reads(1500);
  for (ReadAlignments& aligned : reads) aligned.read.assign(draw_read(world.index->genome(), rng));
  reads[20].read.assign(test::random_bases(20000, rng));  // its warp wants room for a row as long
  const auto place = [&](const Backend& backend, std::uint64_t memory_bytes, bool short_of_memory) {
    std::vector<ReadAlignments> aligned = reads;
    const auto read_aligner =
        make_batch_aligner(world.index->fm(), world.index->genome(), options, backend, {memory_bytes});
    align_all(*read_aligner, aligned, 0);
    CHECK((read_aligner->shrunk_to() > 0) == short_of_memory);
    return aligned;
  };
  const std::vector<ReadAlignments> wanted = place(Backend{}, 0, false);
  constexpr std::uint64_t little = std::uint64_t{192} << 20;
  for (const Backend& device : test::devices()) {
    const Backend limited = limit_device_memory(device, little);
    for (const auto& [backend, memory_bytes] :
         {std::pair(device, std::uint64_t{0}), std::pair(device, little), std::pair(limited, little)}) {
      const std::vector<ReadAlignments> got = place(backend, memory_bytes, memory_bytes > 0);
      for (std::size_t i = 0; i < reads.size(); ++i) {
        CAPTURE(to_string(backend), memory_bytes, i);
        require_same(got[i], wanted[i]);
      }
    }
    CHECK(peak_device_bytes(limited) > 0);  // the limits are the same, so the aligner took the backend's memory
    CHECK(peak_device_bytes(limited) <= little);
  }
}
