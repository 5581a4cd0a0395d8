#include "text/genome_join.hpp"

#include <random>

#include "catch.hpp"
#include "oracle.hpp"

namespace warpseed {

using namespace text;

namespace {

/// The bases of a contig, read one by one.
std::string letters_of(const GenomeView& genome, std::uint64_t contig) {
  const GenomePos begin = genome.contig_begins[contig], end = genome.contig_begins[contig + 1];
  std::vector<std::uint8_t> codes(end - begin);
  fetch_codes(genome, begin, end, codes.data());
  std::string bases;
  for (const std::uint8_t code : codes) bases += base_of_code(code);
  return bases;
}

test::Contigs random_contigs(std::mt19937& rng, std::size_t longest) {
  test::Contigs contigs(1 + rng() % 4);
  for (std::string& contig : contigs) contig = test::random_bases(1 + rng() % longest, rng() % 2 ? 4 : 5, rng);
  if (rng() % 4 == 0) contigs.push_back(std::string(1 + rng() % 40, 'N'));
  return contigs;
}

}  // namespace

TEST_CASE("joined genomes are concatenated contigs, reverse complemented on request", "[text]") {
  std::mt19937 rng(11);
  for (int round = 0; round < 300; ++round) {
    const std::size_t longest = round % 3 == 0 ? 5 : round % 3 == 1 ? 100 : 3000;
    std::vector<Genome> genomes;
    std::vector<GenomePart> parts;
    test::Contigs expected;
    for (std::uint64_t i = 0, count = rng() % 4; i < count; ++i) {
      const test::Contigs contigs = random_contigs(rng, longest);
      const bool reversed = rng() % 2 == 0;
      for (const std::string& contig : contigs) {
        expected.push_back(reversed ? test::reverse_complement(contig) : contig);
      }
      genomes.push_back(test::genome_of(contigs));
      parts.push_back({{}, reversed});
    }
    for (std::size_t i = 0; i < parts.size(); ++i) parts[i].genome = genomes[i].view();

    const Genome made = joined(parts, 1 + round % 3);
    const Genome wanted = test::genome_of(expected);
    CHECK(made.contig_begins == wanted.contig_begins);
    CHECK(made.segments == wanted.segments);
    CHECK(made.words == wanted.words);
    CHECK(made.names.size() == expected.size());
    for (std::size_t contig = 0; contig < expected.size(); ++contig) {
      CHECK(letters_of(made.view(), contig) == expected[contig]);
    }
  }
}

}  // namespace warpseed
