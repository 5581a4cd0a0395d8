// Whole records of batches: the same on every backend, and with little device memory.
#include "batch_reads.hpp"
#include "catch.hpp"
#include "devices.hpp"
#include "message_of.hpp"

using namespace warpseed;
using namespace warpseed::test;

namespace {

/// All that is written of each record.
void require_same(const std::vector<ReadRecords>& got, const std::vector<ReadRecords>& wanted) {
  const auto fields_of = [](const AlignmentRecord& r) {
    return std::tie(r.flag, r.contig, r.position, r.mapq, r.cigar, r.mate_contig, r.mate_position, r.template_length,
                    r.omit_sequence, r.edit_distance, r.mismatches, r.score, r.second_score, r.mate_mapq, r.mate_cigar,
                    r.split, r.share_of_alt, r.alternatives);
  };
  REQUIRE(got.size() == wanted.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    CAPTURE(i);
    REQUIRE(got[i].size() == wanted[i].size());
    for (std::size_t k = 0; k < got[i].size(); ++k) {
      CAPTURE(k);
      CHECK(fields_of(got[i][k]) == fields_of(wanted[i][k]));
    }
  }
}

/// Single reads and pairs, with a contig that is an ALT one.
struct RecordWorld {
  std::mt19937 rng{52};
  test::BaseWorld world = repeat_world(rng);
  std::vector<std::uint8_t> alt = {0, 0, 0, 1};
  ReadBatch reads, pairs;

  RecordWorld() {
    for (int i = 0; i < 600; ++i) reads.add("r", "", draw_read(world.index->genome(), rng), "");
    pairs = draw_pairs(world.index->genome(), 1000, rng);
  }

  /// Of the same batch twice: with inserts that are learnt from it, so that choices wait for them, and with given ones.
  std::vector<ReadRecords> align(bool paired, const Backend& backend, std::uint64_t memory_bytes = 0) const {
    AlignOptions options;
    options.alt_contigs = std::span(alt);
    options.long_reads = false;
    Aligner aligner(*world.index, options, paired, backend, memory_bytes);
    std::vector<ReadRecords> records = aligner.align(paired ? pairs : reads);
    if (paired) aligner.set_insert_sizes(given_insert_sizes(300, 50, 0, 0, options.scoring));
    for (ReadRecords& more : aligner.align(paired ? pairs : reads)) records.push_back(std::move(more));
    CHECK((aligner.shrunk_to() > 0) == (memory_bytes > 0));
    return records;
  }
};

}  // namespace

TEST_CASE("records are the same on every backend", "[align][backend][batch]") {
  const RecordWorld world;
  for (const bool paired : {false, true}) {
    const auto wanted = world.align(paired, Backend{});
    const auto has = [&](auto field) {
      return std::any_of(wanted.begin(), wanted.end(), [&](const ReadRecords& records) {
        return std::any_of(records.begin(), records.end(), [&](const AlignmentRecord& r) { return field(r); });
      });
    };
    CHECK(has([](const AlignmentRecord& r) { return r.edit_distance > 0 && !r.mismatches.empty(); }));
    CHECK(has([](const AlignmentRecord& r) { return r.share_of_alt > 0; }));
    CHECK(paired == has([](const AlignmentRecord& r) { return r.template_length > 0 && !r.mate_cigar.empty(); }));
    for (const Backend& backend : available_backends(2)) {
      CAPTURE(to_string(backend), paired);
      require_same(world.align(paired, backend), wanted);
    }
  }
}

TEST_CASE("long reads among short ones have the same records on every backend", "[align][backend][long]") {
  std::mt19937 rng(54);
  const test::BaseWorld world = repeat_world(rng);
  const GenomeView& genome = world.index->genome();
  const GenomePos size = genome.contig_begins[genome.contig_count()];
  ReadBatch reads;
  std::uint64_t long_ones = 0;
  for (int i = 0; i < 300; ++i) {
    if (i % 3 != 0) {
      reads.add("r", "", draw_read(genome, rng), "");
      continue;
    }
    test::Codes codes(1001 + rng() % 9000);
    const GenomePos begin = rng() % (size - codes.size());
    fetch_codes(genome, begin, begin + codes.size(), codes.data());
    std::string bases = test::letters_of(test::mutated(codes, 10 + static_cast<unsigned>(rng() % 100), rng));
    if (i % 9 == 0) bases.insert(bases.size() / 2, test::random_bases(1 + rng() % 700, rng));  // a gap, or a drop
    if (i % 15 == 0) bases.replace(bases.size() / 3, 3, "NNN");
    reads.add("r", "", rng() % 2 == 0 ? bases : test::reverse_complement(bases), "");
    long_ones += bases.size() > longest_short_read ? 1 : 0;
  }
  CHECK(long_ones > 80);
  const auto records_of = [&](const Backend& backend, std::uint64_t memory_bytes) {
    return Aligner(*world.index, AlignOptions{}, false, backend, memory_bytes).align(reads);
  };
  const auto wanted = records_of(Backend{}, 0);
  for (const Backend& backend : available_backends(2)) {
    CAPTURE(to_string(backend));
    require_same(records_of(backend, 0), wanted);
  }
  for (const Backend& device : test::devices()) {
    require_same(records_of(device, least_memory_bytes(*world.index, device)), wanted);
  }
}

TEST_CASE("with the least memory that a device may be held to the records are those of the CPU",
          "[align][gpu][batch]") {
  RecordWorld world;
  const std::string longer = test::random_bases(20000, world.rng);  // its warps want room for a row as long
  for (int mate = 0; mate < 2; ++mate) world.pairs.add("p", "", longer, "");
  world.reads.add("r", "", longer, "");
  for (const bool paired : {false, true}) {
    const auto wanted = world.align(paired, Backend{});
    for (const Backend& device : test::devices()) {
      CAPTURE(to_string(device), paired);
      require_same(world.align(paired, device, least_memory_bytes(*world.world.index, device)), wanted);
    }
  }
}

TEST_CASE("the first pairs are learnt from before the next batch begins, with the same records", "[align][batch]") {
  std::mt19937 rng(55);
  const test::BaseWorld world = repeat_world(rng);
  const ReadBatch batches[] = {draw_pairs(world.index->genome(), 400, rng),
                               draw_pairs(world.index->genome(), 400, rng)};
  Aligner one_by_one(*world.index, AlignOptions{}, true), overlapped(*world.index, AlignOptions{}, true);
  AlignmentBatch memory[2];
  const BegunBatch begun[] = {overlapped.begin(overlapped.prepare(batches[0], memory[0])),
                              overlapped.begin(overlapped.prepare(batches[1], memory[1]))};
  CHECK(memory[0].learnt_from);
  CHECK(!memory[1].learnt_from);  // these are too few to be enough, and it is not the first batch
  CHECK(overlapped.insert_sizes().seen(0));
  for (int i = 0; i < 2; ++i) {
    std::vector<ReadRecords> got(batches[i].size());
    overlapped.for_each_records(overlapped.finish(overlapped.learn(begun[i])),
                                [&](std::size_t read, ReadRecords&& records) { got[read] = std::move(records); });
    require_same(got, one_by_one.align(batches[i]));
  }
}
