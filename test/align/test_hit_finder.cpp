// Hits of reads in batches, on every backend, against one read at a time on the CPU.
#include "align/hit_finder.hpp"

#include <algorithm>
#include <tuple>

#include "align/seeder.hpp"
#include "catch.hpp"
#include "letter_world.hpp"

namespace {

using namespace warpseed;

using HitKey = std::tuple<GenomePos, std::uint32_t, std::uint32_t, std::uint32_t, bool, bool>;

std::vector<HitKey> keys_of(std::span<const Hit> hits) {
  std::vector<HitKey> keys;
  for (const Hit& hit : hits)
    keys.emplace_back(hit.genome_begin, hit.query_begin, hit.length, hit.contig, hit.reverse, hit.rare);
  std::sort(keys.begin(), keys.end());
  return keys;
}

/// Contigs with a family of repeats, a tandem array, and N.
test::LetterWorld repeat_world(std::mt19937& rng) {
  const std::string element = test::random_letters(300, rng), unit = test::random_letters(23, rng);
  std::vector<std::pair<std::string, std::string>> contigs;
  for (int contig = 0; contig < 4; ++contig) {
    std::string letters = test::random_letters(2000, rng);
    for (int copy = 0; copy < 200; ++copy) {
      std::string worn = element;
      for (int change = 0; change < 8; ++change) worn = test::changed(worn, {rng() % worn.size()});
      letters += copy % 2 == 0 ? worn : test::turned(worn);
      letters += test::random_letters(30, rng);
    }
    for (int copy = 0; copy < 300; ++copy) letters += unit;
    letters.append(50, 'N');
    letters += test::random_letters(500, rng);
    contigs.emplace_back(std::string(1, static_cast<char>('a' + contig)), letters);
  }
  return test::LetterWorld(contigs);
}

/// Codes of any range of the genome, worn, on either strand, of 0 to 1,000 bases; some with many N.
std::string draw_read(const GenomeView& genome, std::mt19937& rng) {
  const GenomePos size = genome.contig_begins[genome.contig_count()];
  const std::size_t length = rng() % 8 == 0 ? rng() % 1001 : rng() % 200;
  const GenomePos begin = rng() % (size - length);
  std::vector<std::uint8_t> codes(length);
  fetch_codes(genome, begin, begin + length, codes.data());
  const unsigned wear = rng() % 4 == 0 ? 3 : 60, unknown = rng() % 6 == 0 ? 10 : 1000;
  std::string letters;
  for (std::uint8_t code : codes) {
    if (rng() % wear == 0) code = static_cast<std::uint8_t>(rng() % 4);
    letters += rng() % unknown == 0 ? 'N' : letter_of_code(code);
  }
  return rng() % 2 == 0 ? letters : test::turned(letters);
}

}  // namespace

TEST_CASE("a batch of reads has the hits that its reads have alone", "[align][backend][hits]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  CAPTURE(to_string(backend));
  std::mt19937 rng(51);
  const test::LetterWorld world = repeat_world(rng);
  const GenomeView& genome = world.index->genome();
  AlignOptions options;
  options.max_occurrences = GENERATE(500U, 20U);
  options.min_seed = GENERATE(19U, 9U);  // short ones are more than a device has room for at first
  std::vector<PlacedRead> reads(3000);
  for (PlacedRead& placed : reads) placed.read.assign(draw_read(genome, rng));
  const auto finder = make_hit_finder(world.index->fm(), genome, options, backend);
  Seeder alone(world.index->fm(), genome, options);
  StageTimes times;
  std::size_t hits = 0, repetitive = 0;
  for (const std::size_t size : {reads.size(), std::size_t{1}, std::size_t{0}, std::size_t{700}}) {
    std::vector<PlacedRead> batch(reads.begin(), reads.begin() + static_cast<long>(size));
    finder->find(batch, times);
    for (std::size_t i = 0; i < size; ++i) {
      CAPTURE(size, i, reads[i].read.length());
      std::vector<PlacedRead> one = {reads[i]};
      alone.find(one, times);
      REQUIRE(keys_of(finder->hits(i)) == keys_of(alone.hits(0)));
      REQUIRE(batch[i].traits.length == one[0].traits.length);
      REQUIRE(batch[i].traits.repetitive == one[0].traits.repetitive);
      hits += alone.hits(0).size(), repetitive += one[0].traits.repetitive;
    }
  }
  CHECK(hits > 10000);
  CHECK(repetitive > 1000);
}

TEST_CASE("records are the same on every backend", "[align][backend][hits]") {
  std::mt19937 rng(52);
  const test::LetterWorld world = repeat_world(rng);
  std::vector<std::string> letters;
  for (int i = 0; i < 1000; ++i) letters.push_back(draw_read(world.index->genome(), rng));
  ReadBatch batch;
  for (const std::string& read : letters) batch.add("r", "", read, "");
  for (const bool paired : {false, true}) {
    const auto wanted = Aligner(*world.index, {}, paired).align(batch);
    for (const Backend& backend : available_backends(2)) {
      const auto records = Aligner(*world.index, {}, paired, backend).align(batch);
      REQUIRE(records.size() == wanted.size());
      for (std::size_t i = 0; i < records.size(); ++i) {
        CAPTURE(to_string(backend), paired, i);
        REQUIRE(records[i].size() == wanted[i].size());
        for (std::size_t k = 0; k < records[i].size(); ++k) {
          const AlignmentRecord &got = records[i][k], &want = wanted[i][k];
          CHECK(std::tie(got.flag, got.contig, got.position, got.mapq, got.cigar, got.score, got.second_score,
                         got.mate_position, got.alternatives, got.split) ==
                std::tie(want.flag, want.contig, want.position, want.mapq, want.cigar, want.score, want.second_score,
                         want.mate_position, want.alternatives, want.split));
        }
      }
    }
  }
}
