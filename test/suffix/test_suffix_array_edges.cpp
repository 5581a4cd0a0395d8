// Suffix arrays by every sorter, of texts in which suffixes differ late or only at a separator.
#include "catch.hpp"
#include "oracle.hpp"
#include "suffix/divsufsort_path.hpp"
#include "suffix/suffix_array.hpp"
#include "warpseed/error.hpp"

namespace warpseed {

using namespace suffix;
using namespace text;

namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::string_view sorter_names[] = {"automatic",        "prefix-doubling", "skew", "skew-prefix-doubling",
                                             "difference-cover", "divsufsort"};

bool is_of_cpu(std::string_view name) {
  return name == "difference-cover" || name == "divsufsort";
}

/// The sorters of a backend: different ones on the CPU and on a device.
std::vector<SuffixSorter> sorters_of(const Backend& backend) {
  const bool on_cpu = backend.kind == BackendKind::cpu;
  std::vector<SuffixSorter> sorters;
  for (const std::string_view name : sorter_names) {
    if (name != "automatic" && on_cpu != is_of_cpu(name)) continue;
    sorters.push_back(choose_sorter(name, backend));
  }
  return sorters;
}

std::string periodic(const std::string& unit, std::size_t length) {
  std::string bases;
  while (bases.size() < length) bases += unit;
  return bases.substr(0, length);
}

std::string repeated(std::size_t times, const std::string& unit) {
  return periodic(unit, times * unit.size());
}

/// Texts with suffixes that share long prefixes; short enough for a naive sort.
std::vector<test::NamedText> edge_texts() {
  std::mt19937 rng(91);
  std::vector<test::NamedText> texts;
  for (const std::size_t length : {1U, 2U, 30U, 31U, 32U, 33U, 62U, 63U, 64U, 65U, 400U}) {
    for (const char base : {'A', 'T'}) texts.push_back({std::string(1, base), {std::string(length, base)}});
  }
  const std::string unit = test::random_bases(31, 4, rng);
  for (const std::string& period :
       {std::string("AC"), std::string("TG"), std::string("ACA"), std::string("TTA"), unit}) {
    for (const std::size_t length : {31U, 32U, 33U, 64U, 400U}) {
      texts.push_back({"period " + period, {periodic(period, length)}});
      texts.push_back({"period, in two contigs, " + period, {periodic(period, length), periodic(period, length - 1)}});
    }
  }
  texts.push_back({"Fibonacci", {test::fibonacci_bases(987)}});
  texts.push_back({"Fibonacci in contigs", {test::fibonacci_bases(233), test::fibonacci_bases(377), "A"}});
  texts.push_back({"separators side by side", {repeated(200, "AN"), repeated(70, "TN"), "A", "C", "A"}});
  texts.push_back({"contigs of one base", test::Contigs(300, "G")});
  texts.push_back({"runs of N at both ends", {"NNNN" + unit + "NNNN", "N" + unit, unit + "N", "NN"}});
  texts.push_back({"a run of N in one base each", {repeated(64, "ANNN") + "A"}});
  for (const std::size_t shared :
       {27U, 28U, 29U, 30U, 31U, 32U, 33U, 57U, 58U, 59U}) {  // a device's keys hold 29 bases
    const std::string same = test::random_bases(shared, 4, rng);
    texts.push_back({"shared " + std::to_string(shared), {same + "A", same, same + "T", same, "A" + same, "T" + same}});
  }
  for (const std::size_t length : {30U, 31U, 32U}) {  // separators around the end of each word
    texts.push_back({"contigs of " + std::to_string(length), test::Contigs(9, test::random_bases(length, 2, rng))});
  }
  return texts;
}

/// The suffix array of a periodic text and its end, for texts too long for a naive sort: two suffixes differ within two
/// periods (Fine and Wilf), or begin at the same offset of the period; then the shorter one is smaller.
std::vector<std::uint64_t> sorted_periodic(const std::string& bases, std::size_t period) {
  std::vector<std::uint64_t> suffixes(bases.size());
  std::iota(suffixes.begin(), suffixes.end(), std::uint64_t{0});
  const auto head = [&](std::uint64_t at) { return std::string_view(bases).substr(at, 2 * period); };
  std::sort(suffixes.begin(), suffixes.end(), [&](std::uint64_t a, std::uint64_t b) {
    const int order = head(a).compare(head(b));
    return order != 0 ? order < 0 : a > b;
  });
  return suffixes;
}

template <class Pos>
std::vector<std::uint64_t> widened(const std::vector<Pos>& values) {
  return {values.begin(), values.end()};
}

void require_genome(const test::Contigs& contigs, const std::vector<std::uint64_t>& expected, const Backend& backend) {
  const Genome genome = test::genome_of(contigs);
  for (const SuffixSorter sorter : sorters_of(backend)) {
    CAPTURE(to_string(sorter));
    SortOptions options;
    options.sorter = sorter, options.verify = true;
    const bool same = widened(suffix_array<std::uint32_t>(genome.view(), backend, options)) == expected;
    REQUIRE(same);
    const bool wide_same = suffix_array<std::uint64_t>(genome.view(), backend, options) == expected;
    REQUIRE(wide_same);
  }
  SortOptions in_parts;  // a device sorts this way if positions need 64 bits
  in_parts.max_narrow_symbols = 0;
  const bool same = suffix_array<std::uint64_t>(genome.view(), backend, in_parts) == expected;
  REQUIRE(same);
}

void require_bytes(const Bytes& bytes, const std::vector<std::uint64_t>& expected, const Backend& backend) {
  for (const SuffixSorter sorter : sorters_of(backend)) {
    CAPTURE(to_string(sorter));
    SortOptions options;
    options.sorter = sorter, options.verify = true;
    const bool same = widened(suffix_array<std::uint32_t>(bytes, backend, options)) == expected;
    REQUIRE(same);
    const bool wide_same = suffix_array<std::uint64_t>(bytes, backend, options) == expected;
    REQUIRE(wide_same);
  }
}

}  // namespace

TEST_CASE("every sorter sorts suffixes that differ late", "[suffix][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  for (const test::NamedText& text : edge_texts()) {
    CAPTURE(to_string(backend), text.name, text.contigs.front().size());
    require_genome(text.contigs, test::sorted_suffixes(test::symbols_of(text.contigs)), backend);
  }
}

TEST_CASE("every sorter sorts long periodic texts", "[suffix][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  const std::size_t period = GENERATE(1, 2, 3, 31);
  const std::size_t length = GENERATE(4096, 70'001);  // one block, and many
  std::mt19937 rng(92);
  std::string unit = test::random_bases(period, 4, rng);
  unit.back() = unit.front() == 'T' ? 'A' : 'T';  // no shorter period
  const std::string bases = periodic(unit, length);
  CAPTURE(to_string(backend), unit, length);
  auto expected = sorted_periodic(bases, period);
  Bytes bytes(bases.begin(), bases.end());
  require_bytes(bytes, expected, backend);
  expected.insert(expected.begin(), length);  // the separator
  require_genome({bases}, expected, backend);
}

TEST_CASE("every sorter sorts texts of the bytes 0 and 255", "[suffix][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  const std::size_t length = GENERATE(1, 2, 7, 8, 9, 31, 32, 33, 63, 64, 65, 300);
  CAPTURE(to_string(backend), length);
  std::mt19937 rng(93);
  Bytes zeros(length, 0), last_differs(length), first_differs(length), alternating(length), random(length);
  for (std::size_t i = 0; i < length; ++i) {
    last_differs[i] = i + 1 == length ? 255 : 0;
    first_differs[i] = i == 0 ? 0 : 255;
    alternating[i] = i % 2 == 0 ? 255 : 0;
    random[i] = rng() % 8 == 0 ? 255 : 0;
  }
  for (const Bytes& bytes : {zeros, last_differs, first_differs, alternating, random}) {
    require_bytes(bytes, test::sorted_suffixes({bytes.begin(), bytes.end()}), backend);
  }
}

TEST_CASE("little memory for short segments gives the same suffix array", "[suffix][backend]") {
  const Backend backend = GENERATE(from_range(available_backends()));
  std::mt19937 rng(94);
  test::Contigs contigs;
  for (int i = 0; i < 900; ++i) contigs.push_back("NN" + test::random_bases(25 + rng() % 60, 4, rng) + "NN");
  contigs.push_back(contigs.front());
  const Genome genome = test::genome_of(contigs);
  const auto expected = test::sorted_suffixes(test::symbols_of(contigs));
  for (const std::uint64_t bytes_each : {12, 18}) {
    SortOptions options;
    options.device_bytes = (std::uint64_t{64} << 20) + bytes_each * genome.text_size();
    CAPTURE(to_string(backend), bytes_each);
    REQUIRE(widened(suffix_array<std::uint32_t>(genome.view(), backend, options)) == expected);
  }
}

TEST_CASE("bytes sorted in 64 bits and narrowed give the same suffix array", "[suffix]") {
  std::mt19937 rng(95);
  for (const std::size_t length : {1U, 2U, 31U, 64U, 500U}) {
    Bytes bytes(length);
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(rng() % 3);
    CAPTURE(length);
    const auto narrowed = sort_by_divsufsort<std::uint32_t>(bytes, 0);
    CHECK(widened(narrowed) == test::sorted_suffixes({bytes.begin(), bytes.end()}));
  }
}

TEST_CASE("divsufsort_bytes() gives 5 or 9 bytes per symbol and digit", "[suffix]") {
  const Genome one = test::genome_of({std::string(99, 'A')});  // 100 symbols, and no digits for a single segment
  CHECK(divsufsort_bytes(one.view(), 4) == 500);
  CHECK(divsufsort_bytes(one.view(), 8) == 900);
  const Genome many = test::genome_of(test::Contigs(257, "A"));  // 514 symbols and two digits for each of 257 segments
  CHECK(divsufsort_bytes(many.view(), 4) == 5 * (514 + 2 * 257));
}

TEST_CASE("a text that 32 bits cannot number is rejected before it is read", "[suffix][backend]") {
  const Backend backend = GENERATE(from_range(available_backends()));
  const Genome genome = test::genome_of({"ACGT"});
  GenomeView view = genome.view();
  view.text.size = narrow_limit + 1;
  CHECK_THROWS_AS(suffix_array<std::uint32_t>(view, backend), std::invalid_argument);
}

TEST_CASE("a sorter's name converts to the sorter and back", "[suffix]") {
  for (const std::string_view name : sorter_names) {
    if (name == "automatic") continue;
    const Backend backend{is_of_cpu(name) ? BackendKind::cpu : BackendKind::cuda, 0, 1};
    CHECK(to_string(choose_sorter(name, backend)) == name);
  }
  CHECK_THROWS_AS(choose_sorter("", Backend{}), InputError);
  CHECK_THROWS_AS(choose_sorter("Skew", Backend{}), InputError);
  CHECK_THROWS_AS(suffix_array<std::uint32_t>(Bytes{}, Backend{}, {SuffixSorter::skew}), BackendError);
}

}  // namespace warpseed
