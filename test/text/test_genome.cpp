#include "text/genome.hpp"

#include <fmt/format.h>

#include <random>
#include <string>
#include <vector>

#include "catch.hpp"

namespace warpseed {

using namespace text;

namespace {

/// A text built letter by letter, with '$' for separators, and the origin of each symbol.
struct NaiveText {
  std::string symbols;
  std::vector<GenomePos> origin;             // [symbols] for a separator one past its segment
  std::vector<std::string> contigs;          // with N for every other letter
  std::vector<Segment> segments;             // without the sentinel
  std::vector<std::uint64_t> segment_sizes;  // [segments]
};

NaiveText naive_text(const std::vector<std::string>& contigs) {
  NaiveText text;
  GenomePos at = 0;
  for (const std::string& bases : contigs) {
    std::string seen;
    bool open = false;
    const auto close = [&] {
      if (open) text.symbols += '$', text.origin.push_back(at);
      open = false;
    };
    for (const char letter : bases) {
      char upper = static_cast<char>(letter & ~0x20);
      if (upper == 'U') upper = 'T';
      if (std::string("ACGT").find(upper) != std::string::npos) {
        if (!open) text.segments.push_back({text.symbols.size(), at}), text.segment_sizes.push_back(0);
        open = true;
        text.symbols += upper, text.origin.push_back(at), ++text.segment_sizes.back();
        seen += upper;
      } else {
        close();
        seen += 'N';
      }
      ++at;
    }
    close();
    text.contigs.push_back(seen);
  }
  return text;
}

/// Builds the genome from portions of random size.
Genome build(const std::vector<std::string>& contigs, std::mt19937& rng, std::size_t longest_portion) {
  GenomeBuilder builder;
  builder.reserve(rng() % 100);
  for (std::size_t i = 0; i < contigs.size(); ++i) {
    builder.begin_contig(fmt::format("c{}", i));
    for (std::size_t at = 0; at < contigs[i].size();) {
      const std::string portion = contigs[i].substr(at, 1 + rng() % longest_portion);
      REQUIRE(builder.add(portion) == portion.size());
      at += portion.size();
      REQUIRE(builder.contig_length() == at);
    }
  }
  return builder.finish();
}

std::string fetch(const GenomeView& genome, GenomePos begin, GenomePos end) {
  std::vector<std::uint8_t> codes(end - begin);
  fetch_codes(genome, begin, end, codes.data());
  std::string bases;
  for (const std::uint8_t code : codes) bases += base_of_code(code);
  return bases;
}

void check_text(const GenomeView& view, const NaiveText& naive) {
  REQUIRE(view.text.size == naive.symbols.size());
  std::size_t wrong = 0, misaligned = 0, bad_windows = 0;
  for (TextPos at = 0; at <= naive.symbols.size(); ++at) {
    std::uint64_t window = 0;
    for (TextPos i = at; i < at + 32; ++i) {
      const char symbol = i < naive.symbols.size() ? naive.symbols[i] : '$';
      window = window * 4 + (symbol == 'C' ? 1U : symbol == 'G' ? 2U : symbol == 'T' ? 3U : 0U);
    }
    bad_windows += view.text.window(at) != window;
    if (at == naive.symbols.size()) continue;
    wrong += base_of_code(view.text[at]) != (naive.symbols[at] == '$' ? 'A' : naive.symbols[at]);
    misaligned += to_genome(view, at) != naive.origin[at];
  }
  CHECK(wrong == 0);
  CHECK(misaligned == 0);
  CHECK(bad_windows == 0);
}

void check_segments(const GenomeView& view, const NaiveText& naive) {
  REQUIRE(view.segment_count() == naive.segments.size());
  for (std::size_t i = 0; i < naive.segments.size(); ++i) {
    REQUIRE(view.segments[i] == naive.segments[i]);
    REQUIRE(view.segment_length(i) == naive.segment_sizes[i]);
    REQUIRE(naive.symbols[view.separator_of(i)] == '$');
    REQUIRE(segment_at(view, view.segments[i].text_begin) == i);
    REQUIRE(segment_at(view, view.separator_of(i)) == i);
  }
}

void check_contigs(const GenomeView& view, const NaiveText& naive, std::mt19937& rng) {
  REQUIRE(view.contig_count() == naive.contigs.size());
  std::string all;
  for (std::size_t i = 0; i < naive.contigs.size(); ++i) {
    const GenomePos begin = view.contig_begins[i], end = view.contig_begins[i + 1];
    REQUIRE(begin == all.size());
    REQUIRE(end - begin == naive.contigs[i].size());
    REQUIRE(contig_at(view, begin) == i);
    REQUIRE(contig_at(view, end - 1) == i);
    REQUIRE(fetch(view, begin, end) == naive.contigs[i]);
    all += naive.contigs[i];
  }
  REQUIRE(view.segments[view.segment_count()] == Segment{naive.symbols.size(), all.size()});
  for (int i = 0; i < 50; ++i) {
    const GenomePos begin = rng() % (all.size() + 1), end = begin + rng() % (all.size() + 1 - begin);
    REQUIRE(fetch(view, begin, end) == all.substr(begin, end - begin));
  }
}

void check_genome(const std::vector<std::string>& contigs, std::mt19937& rng, std::size_t longest_portion) {
  const NaiveText naive = naive_text(contigs);
  const Genome genome = build(contigs, rng, longest_portion);
  CHECK(genome.words.size() == genome.text_size() / 32 + 2);
  CHECK(genome.contig_count() == contigs.size());
  check_text(genome.view(), naive);
  check_segments(genome.view(), naive);
  check_contigs(genome.view(), naive, rng);
}

/// Random bases from the first `alphabet` of ACGT, with some runs of other IUPAC letters and some lower case.
std::string random_bases(std::size_t size, unsigned alphabet, unsigned unknown_percent, std::mt19937& rng) {
  const std::string others = "NNNNNNNnRYSWKMBDHVryswkmbdhv";
  std::string bases;
  while (bases.size() < size) {
    if (rng() % 100 < unknown_percent) {
      bases += rng() % 2 ? std::string(1 + rng() % 40, 'N') : std::string(1, others[rng() % others.size()]);
    } else {
      for (std::size_t i = 1 + rng() % 50; i > 0; --i) {
        const char base = "ACGT"[rng() % alphabet];
        bases += rng() % 8 ? base : base == 'T' && rng() % 2 ? 'U' : static_cast<char>(base | 0x20);
      }
    }
  }
  bases.resize(size);
  return bases;
}

}  // namespace

TEST_CASE("a genome has the text, positions and bases of a naive one", "[text][genome]") {
  const unsigned alphabet = GENERATE(1U, 2U, 4U);
  const unsigned unknown_percent = GENERATE(0U, 5U, 50U, 100U);
  const std::size_t contig_size = GENERATE(as<std::size_t>{}, 1, 2, 7, 8, 9, 31, 32, 33, 64, 700);
  const std::size_t longest_portion = GENERATE(as<std::size_t>{}, 1, 9, 60, 100000);
  const unsigned seed = alphabet * 1000 + unknown_percent + static_cast<unsigned>(contig_size);
  CAPTURE(alphabet, unknown_percent, contig_size, longest_portion, seed);
  std::mt19937 rng(seed);
  std::vector<std::string> contigs;
  for (std::size_t i = 1 + rng() % 6; i > 0; --i)
    contigs.push_back(random_bases(1 + rng() % contig_size, alphabet, unknown_percent, rng));
  check_genome(contigs, rng, longest_portion);
}

TEST_CASE("texts that end at, before and after a word boundary", "[text][genome]") {
  for (std::size_t size = 1; size <= 130; ++size) {
    CAPTURE(size);
    std::mt19937 rng(static_cast<unsigned>(size));
    check_genome({random_bases(size, 4, 0, rng)}, rng, 20);
  }
}

TEST_CASE("N at both ends, alone, and single bases", "[text][genome]") {
  std::mt19937 rng(1);
  check_genome({"N"}, rng, 10);
  check_genome({"NNNN", "NN"}, rng, 10);
  check_genome({"NNNN", "A", "NN", "C", "T"}, rng, 10);
  check_genome({"NACGTN", "ACGTN", "NACGT", "NNNANNNTNNN"}, rng, 10);
  check_genome({"A"}, rng, 10);
  check_genome({std::string(1000, 'N') + "ACGT" + std::string(1000, 'n')}, rng, 5000);
  check_genome(std::vector<std::string>(500, "T"), rng, 1);
}

TEST_CASE("a genome without contigs is empty", "[text][genome]") {
  for (const Genome& genome : {Genome{}, GenomeBuilder().finish()}) {
    CHECK(genome.contig_count() == 0);
    CHECK(genome.base_count() == 0);
    CHECK(genome.text_size() == 0);
    CHECK(genome.words.size() == 2);
    CHECK(genome.view().segment_count() == 0);
    CHECK(genome.view().contig_count() == 0);
    CHECK(genome.view().text.window(0) == 0);
    CHECK(fetch(genome.view(), 0, 0) == "");
  }
}

TEST_CASE("codes and letters build the same genome", "[text][genome]") {
  std::mt19937 rng(2);
  const std::string bases = random_bases(5000, 4, 10, rng);
  std::vector<std::uint8_t> codes;
  for (const char letter : bases) codes.push_back(code_of_base(letter));
  GenomeBuilder from_bases, from_codes;
  from_bases.begin_contig("c");
  from_bases.add(bases);
  from_codes.begin_contig("c");
  from_codes.add_codes(codes);
  const Genome a = from_bases.finish(), b = from_codes.finish();
  CHECK(a.words == b.words);
  CHECK(a.segments == b.segments);
  CHECK(a.contig_begins == b.contig_begins);
}

TEST_CASE("adding stops at the first letter outside IUPAC, at any position", "[text][genome]") {
  const std::string iupac = "ACGTURYSWKMBDHVNacgturyswkmbdhvn";
  const std::string before = GENERATE("", "ACGTACGTAC", "NNNNNNNNNNNN");
  for (int byte = 0; byte < 256; ++byte) {
    const char letter = static_cast<char>(byte);
    const bool good = iupac.find(letter) != std::string::npos;
    for (std::size_t prefix = 0; prefix < 20; ++prefix) {
      GenomeBuilder builder;
      builder.begin_contig("c");
      REQUIRE(builder.add(before) == before.size());
      const std::string bases = std::string(prefix, prefix % 2 ? 'C' : 'N') + letter + std::string(20, 'G');
      CAPTURE(byte, prefix, before);
      REQUIRE(builder.add(bases) == (good ? bases.size() : prefix));
      REQUIRE(builder.contig_length() == before.size() + (good ? bases.size() : prefix));
    }
  }
}

TEST_CASE("a builder is empty after finish()", "[text][genome]") {
  GenomeBuilder builder;
  builder.begin_contig("one");
  builder.add("ACGTN");
  CHECK(builder.finish().names == std::vector<std::string>{"one"});
  CHECK(builder.text_size() == 0);
  builder.begin_contig("two");
  builder.add("GG");
  const Genome second = builder.finish();
  CHECK(second.names == std::vector<std::string>{"two"});
  CHECK(second.base_count() == 2);
  CHECK(fetch(second.view(), 0, 2) == "GG");
}

}  // namespace warpseed
