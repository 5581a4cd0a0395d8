// Approximate search against a scan of whole genomes, and the scan against the whole dynamic program.
#include "myers_scan.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "catch.hpp"
#include "search_helpers.hpp"
#include "text/fasta.hpp"

namespace warpseed {

using namespace approximate;
using test::Contigs;
using test::ScanEnd;

namespace {

/// The ends that are reported: from those with the fewest edits to those with the most, the leftmost first, each unless
/// one at most `distance` away has been. As thinned() of the oracle, but not in quadratic time. Sorted by end.
std::vector<ScanEnd> joined(std::vector<ScanEnd> ends, std::uint64_t distance) {
  std::stable_sort(ends.begin(), ends.end(), [](const ScanEnd& a, const ScanEnd& b) { return a.edits < b.edits; });
  std::set<std::uint64_t> reported;
  std::vector<ScanEnd> result;
  for (const ScanEnd& end : ends) {
    const auto near = reported.lower_bound(end.end - std::min(end.end, distance));
    if (near != reported.end() && *near <= end.end + distance) continue;
    reported.insert(end.end);
    result.push_back(end);
  }
  std::sort(result.begin(), result.end(), [](const ScanEnd& a, const ScanEnd& b) { return a.end < b.end; });
  return result;
}

/// What the scan finds of a pattern on both strands.
struct Scanned {
  std::vector<test::OracleHit> hits;  // sorted
  std::uint64_t ends = 0;             // before they are joined
};

/// Where the alignment begins that is reported of an end.
std::uint64_t begin_of(const std::string& pattern, std::string_view text, const ScanEnd& at) {
  const std::uint64_t longest = std::min<std::uint64_t>(at.end, pattern.size() + at.edits), first = at.end - longest;
  return first + test::best_begin(pattern, std::string(text.substr(first, longest)), {longest, at.edits});
}

Scanned scan(const Contigs& contigs, const std::string& pattern, unsigned differences) {
  Scanned scanned;
  for (const bool reverse : {false, true}) {
    const std::string searched = reverse ? test::iupac_reverse_complement(pattern) : pattern;
    for (std::size_t contig = 0; contig < contigs.size(); ++contig) {
      test::for_each_stretch(contigs[contig], [&](std::uint64_t offset, std::string_view bases) {
        const std::vector<ScanEnd> ends = test::scan_ends(searched, bases, differences);
        scanned.ends += ends.size();
        for (const ScanEnd& end : joined(ends, differences)) {
          const std::uint64_t begin = offset + begin_of(searched, bases, end);
          scanned.hits.push_back({contig, begin, reverse, offset + end.end, end.edits});
        }
      });
    }
  }
  std::sort(scanned.hits.begin(), scanned.hits.end());
  return scanned;
}

std::string piece_without_n(const Contigs& contigs, std::size_t length, std::mt19937& rng) {
  for (int tries = 0; tries < 10'000; ++tries) {
    const std::string piece = test::piece_of(contigs, length, rng);
    if (piece.size() == length && piece.find('N') == std::string::npos) return piece;
  }
  throw std::runtime_error("the genome has too few stretches of " + std::to_string(length) + " bases without N");
}

/// Pieces of the genome with at most so many edits, which are to be found: `each` of every length.
std::vector<std::string> planted_patterns(const Contigs& contigs, unsigned differences, unsigned each,
                                          std::mt19937& rng) {
  std::vector<std::string> patterns;
  for (const std::size_t length : {20U, 32U, 64U, 100U, 150U}) {
    for (unsigned i = 0; i < each; ++i) {
      const std::string piece = piece_without_n(contigs, length + differences, rng);
      const auto changes = rng() % (differences + 1);
      const std::string pattern = test::edited(piece, changes, Metric::edits, rng).substr(0, length);
      patterns.push_back(i % 2 == 1 ? test::reverse_complement(pattern) : pattern);
    }
  }
  return patterns;
}

/// Patterns that go on past a contig's end or into N, and some that have very many ends in most genomes.
std::vector<std::string> hard_patterns(const Contigs& contigs, unsigned differences, std::mt19937& rng) {
  std::vector<std::string> patterns = {std::string(20, 'A'), "GTGTGTGTGTGTGTGTGTGTGTGTGTGTGTGT"};
  for (const std::size_t length : {32U, 65U}) {
    const std::string pattern = test::overhanging(contigs, length, 1 + rng() % differences, rng);
    if (pattern.size() > differences) patterns.push_back(pattern);
  }
  return patterns;
}

void check_ends(const std::string& pattern, const std::string& text) {
  const auto edits = test::edit_table(pattern, text, true).back();
  for (const unsigned most : {0U, 1U, 4U, 8U, 200U}) {
    CAPTURE(pattern, text, most);
    std::vector<ScanEnd> expected;
    for (std::uint64_t end = 0; end <= text.size(); ++end) {
      if (edits[end] <= most) expected.push_back({end, edits[end]});
    }
    const bool equal = test::scan_ends(pattern, text, most) == expected;
    REQUIRE(equal);
  }
}

void check_search(const Target& target, const Backend& backend, unsigned differences,
                  const std::vector<std::string>& patterns, const std::vector<Scanned>& scans) {
  CAPTURE(to_string(backend));
  ApproximateSearch search(target, backend, {Metric::edits, differences, Strands::both});
  search.find(test::batch_of(patterns));
  std::uint64_t ends = 0;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    CAPTURE(patterns[i]);
    const auto found = test::in_contigs(target.genome, search.locate(i, {}).hits);
    REQUIRE(test::unlike(found, scans[i].hits) == "");
    ends += scans[i].ends;
  }
  REQUIRE(search.ends_found() == ends);
}

/// each: planted patterns of every length and number of edits.
void check_genome(const Contigs& contigs, unsigned each) {
  constexpr unsigned seed = 1999;
  std::mt19937 rng(seed);
  const test::IndexedGenome genome(contigs);
  for (unsigned differences = 1; differences <= 4; ++differences) {
    CAPTURE(seed, differences);
    std::vector<std::string> patterns = planted_patterns(contigs, differences, each, rng);
    const std::size_t planted = patterns.size();
    for (std::string& pattern : hard_patterns(contigs, differences, rng)) patterns.push_back(std::move(pattern));
    std::vector<Scanned> scans;
    for (const std::string& pattern : patterns) scans.push_back(scan(contigs, pattern, differences));
    for (std::size_t i = 0; i < planted; ++i) REQUIRE_FALSE(scans[i].hits.empty());
    for (const Backend& backend : available_backends(2)) {
      check_search(genome.target(), backend, differences, patterns, scans);
    }
  }
}

Contigs read_contigs(const std::string& path) {
  const text::Genome genome = text::read_fasta(std::vector{path});
  Contigs contigs;
  for (std::uint64_t i = 0; i < genome.contig_count(); ++i) {
    const GenomePos begin = genome.contig_begins[i], end = genome.contig_begins[i + 1];
    std::vector<std::uint8_t> codes(end - begin);
    text::fetch_codes(genome.view(), begin, end, codes.data());
    contigs.emplace_back();
    for (const std::uint8_t code : codes) contigs.back() += "ACGTN"[code];
  }
  return contigs;
}

/// 2 Mb of human chromosome 20, next to the sources.
std::filesystem::path bundled_genome() {
  const std::filesystem::path source = __FILE__;
  return source.parent_path().parent_path().parent_path() / "share/demo/chr20_9-11Mb.fa.gz";
}

}  // namespace

TEST_CASE("the scan finds the ends that the whole dynamic program has", "[approximate]") {
  constexpr unsigned seed = 64;
  std::mt19937 rng(seed);
  for (const std::size_t length : {1U, 2U, 5U, 31U, 32U, 33U, 63U, 64U, 65U, 100U, 127U, 128U, 129U, 150U, 193U}) {
    for (const std::size_t text_length : {0U, 1U, 40U, 63U, 64U, 65U, 400U}) {
      for (const unsigned alphabet : {1U, 2U, 4U}) {
        CAPTURE(seed);
        const std::string text = test::random_bases(text_length, alphabet, rng);
        const std::string piece = text.substr(text_length / 3, length);
        check_ends(test::random_bases(length, 4, rng), text);
        check_ends(test::random_bases(length, 5, rng), text);
        check_ends(test::edited(piece + "C", rng() % 10, Metric::edits, rng) + "G", text);
      }
    }
  }
}

TEST_CASE("the scan of contigs with N finds the occurrences that the oracle finds", "[approximate]") {
  constexpr unsigned seed = 2003;
  std::mt19937 rng(seed);
  std::vector<test::NamedText> texts = test::difficult_texts(seed);
  for (test::NamedText& text : test::repetitive_texts(seed)) texts.push_back(std::move(text));
  for (const test::NamedText& text : texts) {
    CAPTURE(text.name, seed);
    for (const unsigned differences : {0U, 1U, 2U, 4U}) {
      for (const std::size_t length : {20U, 65U, 130U}) {
        const std::string piece = test::piece_of(text.contigs, length, rng);
        for (const std::string& pattern : {test::edited(piece, rng() % (differences + 1), Metric::edits, rng),
                                           test::overhanging(text.contigs, length, rng() % (differences + 1), rng)}) {
          if (pattern.size() <= differences) continue;
          CAPTURE(pattern, differences);
          const auto expected = test::expected_hits(text.contigs, pattern, {Metric::edits, differences, Strands::both});
          REQUIRE(test::unlike(scan(text.contigs, pattern, differences).hits, expected) == "");
        }
      }
    }
  }
}

TEST_CASE("approximate search agrees with a scan of a piece of a human chromosome", "[approximate][backend]") {
  const std::filesystem::path path = bundled_genome();
  if (!std::filesystem::exists(path)) {
    WARN("skipped: there is no " << path.string());
    return;
  }
  check_genome(read_contigs(path.string()), 4);
}

TEST_CASE("approximate search agrees with a scan of a chromosome", "[.chromosome]") {
  const char* const path = std::getenv("WS_CHROMOSOME");
  if (!path) {
    WARN("skipped: set WS_CHROMOSOME to a FASTA file, plain or compressed by gzip, of a chromosome or genome");
    return;
  }
  check_genome(read_contigs(path), 2);
}

}  // namespace warpseed
