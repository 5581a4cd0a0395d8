#include "approximate/bulges.hpp"

#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <tuple>

#include "approximate/approximate_search.hpp"
#include "catch.hpp"
#include "search_helpers.hpp"

namespace warpseed {

using namespace approximate;

namespace {

constexpr std::uint32_t impossible = 1000;

/// The fewest mismatches of a pattern aligned to a whole text with exactly so many unpaired bases: a dynamic program over
/// pattern base, text base, unpaired bases left and the operation before.
class FewestMismatches {
 public:
  FewestMismatches(const std::string& pattern, const std::string& text, const SearchOptions& options)
      : pattern_(pattern), text_(text), options_(options) {}

  std::uint32_t with(unsigned gaps) { return from(0, 0, gaps, '.'); }

 private:
  using Key = std::tuple<std::size_t, std::size_t, unsigned, char>;

  bool exact(std::size_t i) const { return i < options_.exact_begin || i + options_.exact_end >= pattern_.size(); }
  /// Is pattern base i one that can be unpaired, or have an unpaired base of the text before it, after `before`?
  bool gap_allowed(std::size_t i, char before, char gap) const {
    const bool first = i <= options_.exact_begin, last = i + options_.exact_end >= pattern_.size();
    return !first && !last && (before == '=' || before == gap);
  }

  std::uint32_t from(std::size_t i, std::size_t j, unsigned gaps, char before) {
    if (i == pattern_.size() && j == text_.size()) return gaps == 0 ? 0 : impossible;
    const Key key = {i, j, gaps, before};
    const auto known = known_.find(key);
    if (known != known_.end()) return known->second;
    std::uint32_t fewest = impossible;
    if (i < pattern_.size() && j < text_.size()) {
      const bool same = test::can_be(pattern_[i], text_[j]);
      if (same || !exact(i)) fewest = std::min(fewest, !same + from(i + 1, j + 1, gaps, '='));
    }
    if (gaps > 0 && j < text_.size() && gap_allowed(i, before, 'D')) {
      fewest = std::min(fewest, from(i, j + 1, gaps - 1, 'D'));
    }
    const bool last_of_spacer = i + options_.exact_end + 1 >= pattern_.size();
    if (gaps > 0 && i < pattern_.size() && !last_of_spacer && gap_allowed(i, before, 'I')) {
      fewest = std::min(fewest, from(i + 1, j, gaps - 1, 'I'));
    }
    return known_[key] = fewest;
  }

  const std::string &pattern_, &text_;
  const SearchOptions& options_;
  std::map<Key, std::uint32_t> known_;
};

/// An occurrence without its other end, which equal alignments may choose differently.
struct Site {
  std::uint64_t contig = 0;
  bool reverse = false;
  std::uint64_t anchor = 0;  // offset of the end that bulges do not move
  std::uint32_t differences = 0;
  unsigned bulges = 0;

  friend auto operator<=>(const Site&, const Site&) = default;
};

std::string to_string(const Site& site) {
  return std::to_string(site.contig) + ":" + std::to_string(site.anchor) + (site.reverse ? "-" : "+") + " with " +
         std::to_string(site.differences) + ", bulges " + std::to_string(site.bulges);
}

/// Sites in a text that is read along the pattern, as (differences, bulges, anchor).
using Ranked = std::tuple<std::uint32_t, unsigned, std::uint64_t>;

std::vector<Ranked> ranked_sites(const std::string& text, const std::string& pattern, const SearchOptions& options) {
  const bool anchor_is_begin = options.exact_begin > options.exact_end;
  std::map<std::uint64_t, std::pair<std::uint32_t, unsigned>> best;
  for (std::size_t begin = 0; begin < text.size(); ++begin) {
    for (std::size_t length = pattern.size() - options.bulges; length <= pattern.size() + options.bulges; ++length) {
      if (begin + length > text.size()) break;
      const std::string aligned = text.substr(begin, length);
      for (unsigned gaps = 0; gaps <= options.bulges; ++gaps) {
        const std::uint32_t mismatches = FewestMismatches(pattern, aligned, options).with(gaps);
        if (mismatches > options.differences) continue;
        const std::pair<std::uint32_t, unsigned> found = {mismatches + gaps, gaps};
        const auto [at, is_new] = best.emplace(anchor_is_begin ? begin : begin + length, found);
        at->second = std::min(at->second, found);
      }
    }
  }
  std::vector<Ranked> ranked;
  for (const auto& [anchor, rank] : best) ranked.push_back({rank.first, rank.second, anchor});
  return ranked;
}

/// Sites that are kept: all without bulges, and those with bulges that have none kept before them near.
std::vector<Ranked> kept(std::vector<Ranked> ranked, unsigned near, bool from_right) {
  std::sort(ranked.begin(), ranked.end(), [&](const Ranked& a, const Ranked& b) {
    const auto [da, ba, pa] = a;
    const auto [db, bb, pb] = b;
    return std::tuple(da, ba, from_right ? pb : pa) < std::tuple(db, bb, from_right ? pa : pb);
  });
  std::vector<Ranked> result;
  for (const Ranked& site : ranked) {
    const std::uint64_t anchor = std::get<2>(site);
    const bool hidden = std::get<1>(site) > 0 && std::any_of(result.begin(), result.end(), [&](const Ranked& other) {
                          const std::uint64_t at = std::get<2>(other);
                          return std::max(at, anchor) - std::min(at, anchor) <= near;
                        });
    if (!hidden) result.push_back(site);
  }
  return result;
}

std::set<Site> expected_sites(const test::Contigs& contigs, const std::string& pattern, const SearchOptions& options) {
  std::set<Site> sites;
  for (const bool reverse : {false, true}) {
    for (const test::Stretch& stretch : test::stretches_of(contigs)) {
      const std::string text = reverse ? test::reverse_complement(stretch.bases) : stretch.bases;
      for (const auto& [differences, bulges, at] :
           kept(ranked_sites(text, pattern, options), options.bulges, reverse)) {
        const std::uint64_t anchor = stretch.offset + (reverse ? text.size() - at : at);
        sites.insert({stretch.contig, reverse, anchor, differences, bulges});
      }
    }
  }
  return sites;
}

/// What is wrong with an alignment; empty if nothing is.
std::string fault_of(const test::Contigs& contigs, const std::string& pattern, const test::OracleHit& hit,
                     std::string operations) {
  std::string text = contigs[hit.contig].substr(hit.begin, hit.end - hit.begin);
  if (hit.reverse) text = test::reverse_complement(text), operations = test::reversed(operations);
  std::size_t i = 0, j = 0;
  for (const char operation : operations) {
    if (i >= pattern.size() + (operation == 'D') || j >= text.size() + (operation == 'I')) return "too many columns";
    const bool pairs = operation == '=' || operation == 'X';
    if (pairs && test::can_be(pattern[i], text[j]) != (operation == '=')) return "wrong operation in " + operations;
    i += operation != 'D', j += operation != 'I';
  }
  return i == pattern.size() && j == text.size() ? "" : "too few columns in " + operations;
}

void check_bulges(const test::Contigs& contigs, const Backend& backend, const SearchOptions& options,
                  const std::vector<std::string>& patterns) {
  const test::IndexedGenome genome(contigs);
  ApproximateSearch search(genome.target(), backend, options);
  search.find(test::batch_of(patterns));
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    CAPTURE(patterns[i]);
    const Located located = search.locate(i, {});
    std::set<Site> found;
    for (const Occurrence& each : located.hits) {
      const test::OracleHit hit = test::in_contig(genome.target().genome, each);
      REQUIRE(fault_of(contigs, patterns[i], hit, each.operations) == "");
      const auto bulges = std::count_if(each.operations.begin(), each.operations.end(),
                                        [](char operation) { return operation == 'I' || operation == 'D'; });
      const bool at_end = hit.reverse == (options.exact_begin > options.exact_end);
      found.insert(
          {hit.contig, hit.reverse, at_end ? hit.end : hit.begin, hit.differences, static_cast<unsigned>(bulges)});
    }
    const std::set<Site> expected = expected_sites(contigs, patterns[i], options);
    for (const Site& site : expected) {
      if (!found.contains(site)) FAIL("not found: " << to_string(site));
    }
    REQUIRE(found.size() == expected.size());
    REQUIRE(located.hits.size() == found.size());
    REQUIRE(search.count(i, {}).total() == found.size());
  }
}

}  // namespace

TEST_CASE("all forms of a short pattern with bulges", "[approximate]") {
  CHECK(bulge_forms(3, 0) == std::vector<BulgeForm>{"==="});
  CHECK(bulge_forms(3, 1) == std::vector<BulgeForm>{"===", "=D==", "=I=", "==D="});
  CHECK(bulge_forms(2, 2) == std::vector<BulgeForm>{"==", "=D=", "=DD="});
  CHECK(bulge_forms(4, 2) ==
        std::vector<BulgeForm>{"====", "=D===", "=I==", "==D==", "==I=", "===D=", "=DD===", "=D=D==", "=D=I=", "=D==D=",
                               "=II=", "=I=D=", "==DD==", "==D=D=", "===DD="});
  CHECK(bulge_forms(20, 1).size() == 1 + 19 + 18);
  CHECK(bulges_of("=D=I==") == 2);
  CHECK(with_bulges(test::sets_of("ACGTTGG"), 0, "==D=I===") == test::sets_of("ACNGTGG"));
  CHECK(with_bulges(test::sets_of("TTACGT"), 2, "=I==") == test::sets_of("TTAGT"));
}

TEST_CASE("bulges are found next to mismatches, with and without a PAM", "[approximate][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  const unsigned bulges = GENERATE(1U, 2U);
  const Method method = GENERATE(Method::index, Method::scan);
  constexpr unsigned seed = 71;
  std::mt19937 rng(seed);
  const std::string pams[] = {"", "NGG", "TTTV"};
  std::vector<test::NamedText> texts = {
      {"random", {test::random_bases(400, 4, rng), test::random_bases(90, 2, rng) + "NNN" + std::string(40, 'G')}}};
  for (test::NamedText& text : test::repetitive_texts(seed)) {
    for (std::string& contig : text.contigs) contig.resize(std::min<std::size_t>(contig.size(), 120), 'G');
    text.contigs.resize(3);
    texts.push_back(std::move(text));
  }
  for (const test::NamedText& text : texts) {
    for (const std::string& pam : pams) {
      SearchOptions options = {Metric::mismatches, static_cast<unsigned>(rng() % 3), Strands::both};
      options.method = method, options.bulges = bulges;
      (pam == "TTTV" ? options.exact_begin : options.exact_end) = static_cast<std::uint32_t>(pam.size());
      std::vector<std::string> patterns = {""};
      for (std::size_t i = 0; i < 5; ++i) {
        std::string spacer = test::edited(test::piece_of(text.contigs, 8 + rng() % 9, rng), 1, Metric::edits, rng);
        if (rng() % 2 == 0) spacer = test::reverse_complement(spacer);
        spacer.resize(std::max<std::size_t>(spacer.size(), 8), 'A');
        patterns.push_back(pam == "TTTV" ? pam + spacer : spacer + pam);
      }
      CAPTURE(to_string(backend), text.name, seed, bulges, options.differences, pam, method == Method::scan);
      check_bulges(text.contigs, backend, options, patterns);
    }
  }
}

TEST_CASE("a bulge and the mismatches that could replace it are distinguished", "[approximate]") {
  SearchOptions options = {Metric::mismatches, 2, Strands::forward};
  options.bulges = 1, options.exact_end = 3;
  const std::string guide = "ACGTCATTGCAAGCTTAGCA";
  const auto operations = [&](const std::string& site) {
    const test::IndexedGenome genome({"CCTCTC" + site + "CTCTCC"});
    ApproximateSearch search(genome.target(), Backend{}, options);
    search.find(test::batch_of({guide + "NGG"}));
    std::vector<std::string> found;
    for (const Occurrence& hit : search.locate(0, {}).hits) found.push_back(cigar_of(hit.operations, false));
    return found;
  };
  CHECK(operations("ACGTCATTGCAAGCTTAGCATGG") == std::vector<std::string>{"23="});
  CHECK(operations("ACGTCATTGTCAAGCTTAGCATGG") == std::vector<std::string>{"9=1D14="});
  CHECK(operations("ACGTCATTGAAGCTTAGCATGG") == std::vector<std::string>{"9=1I13="});
  CHECK(operations("ACGTCATTGAAGCTTAGTATGG") == std::vector<std::string>{"9=1I8=1X4="});
  CHECK(operations("ACGTCATTGCAAGCTTAGCATGA").empty());
  CHECK(operations("ACGTCATTGCAAGCTTAGCATGGG") == std::vector<std::string>{"23="});
}

TEST_CASE("bulges need mismatches, and patterns that are long enough", "[approximate]") {
  const test::IndexedGenome genome({"ACGTACGTTTGACG"});
  SearchOptions options = {Metric::mismatches, 1, Strands::both};
  options.bulges = max_bulges + 1;
  CHECK_THROWS_AS(ApproximateSearch(genome.target(), Backend{}, options), std::invalid_argument);
  options.bulges = 1;
  ApproximateSearch search(genome.target(), Backend{}, options);
  CHECK_THROWS_AS(search.find(test::batch_of({"ACG"})), std::invalid_argument);
  CHECK_NOTHROW(search.find(test::batch_of({"ACGT", ""})));
  options.metric = Metric::edits;
  CHECK_THROWS_AS(ApproximateSearch(genome.target(), Backend{}, options), std::invalid_argument);
}

}  // namespace warpseed
