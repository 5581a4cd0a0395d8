#include "sort/string_sort.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>

#include "catch.hpp"

namespace warpseed {

using namespace sort;
using namespace text;

namespace {

using Texts = std::vector<std::string>;

ByteStrings bytes_of(const Texts& texts) {
  ByteStrings strings;
  for (const std::string& text : texts) strings.add(text);
  return strings;
}

/// Bases given as characters, packed by hand.
struct PackedReads {
  std::vector<std::uint64_t> words, offsets = {0};

  explicit PackedReads(const Texts& texts) {
    for (const std::string& text : texts) offsets.push_back(offsets.back() + text.size());
    words.assign(offsets.back() / 32 + 2, 0);
    std::uint64_t at = 0;
    for (const std::string& text : texts) {
      for (const char letter : text) {
        words[at / 32] |= std::uint64_t{std::string("ACGT").find(letter)} << (62 - 2 * (at % 32));
        ++at;
      }
    }
  }
  StringOrder sorted(const Backend& backend) const {
    return sort_strings(PackedView{words.data(), offsets.back()}, View<std::uint64_t>(offsets), backend);
  }
};

bool before(const std::string& a, const std::string& b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return static_cast<unsigned char>(x) < static_cast<unsigned char>(y);
  });
}

StringOrder wanted_order(const Texts& texts) {
  StringOrder wanted;
  wanted.order.resize(texts.size());
  std::iota(wanted.order.begin(), wanted.order.end(), 0U);
  std::stable_sort(wanted.order.begin(), wanted.order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return before(texts[a], texts[b]); });
  wanted.heads.assign(texts.size() / 32 + 1, 0xFFFFFFFFU);
  for (std::size_t row = 1; row < texts.size(); ++row) {
    if (texts[wanted.order[row - 1]] == texts[wanted.order[row]]) wanted.heads[row / 32] &= ~(1U << (row % 32));
  }
  return wanted;
}

/// As REQUIRE(got == wanted), which would print all of it.
void check_same(const StringOrder& got, const StringOrder& wanted) {
  const bool same_order = got.order == wanted.order, same_heads = got.heads == wanted.heads;
  REQUIRE(same_order);
  REQUIRE(same_heads);
}

std::string random_text(std::size_t length, const std::string& letters, std::mt19937& rng) {
  std::string text(length, ' ');
  for (char& letter : text) letter = letters[rng() % letters.size()];
  return text;
}

const std::string bases = "ACGT";

/// Ties of so many strings are split by a sample of them.
constexpr std::size_t enough_for_a_sample = 1'300'000;

std::string every_byte() {
  std::string letters;
  for (int byte = 0; byte < 256; ++byte) letters += static_cast<char>(byte);
  return letters;
}

struct NamedTexts {
  std::string name;
  Texts texts;
};

/// Difficult sets of strings over an alphabet: `ones` consists of its first letter.
std::vector<NamedTexts> difficult_sets(const std::string& letters, std::mt19937& rng) {
  const std::string one(1, letters.front()), last(1, letters.back());
  std::vector<NamedTexts> sets = {{"none", {}}, {"one", {one}}, {"empty strings", Texts(70, "")}};
  Texts prefixes, runs, stems, edges, tail, odd;
  for (std::size_t i = 0; i < 300; ++i) prefixes.push_back(std::string(i * 7 % 300, one.front()));
  sets.push_back({"prefixes of one another", prefixes});
  sets.push_back({"all equal", Texts(1000, random_text(77, letters, rng))});
  const Texts few = {random_text(200, letters, rng), random_text(200, letters, rng), random_text(40, letters, rng)};
  for (std::size_t i = 0; i < 2000; ++i) runs.push_back(few[rng() % few.size()]);
  sets.push_back({"long runs of equal ones", runs});
  const std::string stem = random_text(500, letters, rng);
  for (std::size_t i = 0; i < 1500; ++i)
    stems.push_back(stem.substr(0, rng() % 500) + random_text(rng() % 20, letters, rng));
  sets.push_back({"long common prefixes", stems});
  for (const std::size_t length : {0, 1, 7, 8, 9, 15, 16, 17, 28, 29, 30, 31, 32, 33, 63, 64, 65}) {
    const std::string text = random_text(length, letters, rng);
    for (const std::string& end : {std::string(), one, last, one + one, last + one}) edges.push_back(text + end);
    for (int i = 0; i < 20; ++i) edges.push_back(std::string(length, one.front()) + (i % 2 == 0 ? one : last));
  }
  std::shuffle(edges.begin(), edges.end(), rng);
  sets.push_back({"lengths around windows", edges});
  for (std::size_t i = 0; i < 400; ++i)
    tail.push_back(std::string(100 + i % 3, last.front()) + (i % 50 == 0 ? one : ""));
  sets.push_back({"the last letter", tail});
  for (std::size_t i = 0; i < 9000; ++i) odd.push_back(random_text(rng() % 30, letters.substr(0, 2), rng));
  odd[1234] += letters.back();  // a character that the sample may miss
  sets.push_back({"a rare letter", odd});
  for (const std::size_t count : {31, 32, 33, 255, 256, 257, 5000, 20000}) {
    Texts texts;
    for (std::size_t i = 0; i < count; ++i) texts.push_back(random_text(rng() % 12, letters, rng));
    sets.push_back({std::to_string(count) + " random ones", texts});
  }
  Texts sorted = sets.back().texts;
  std::sort(sorted.begin(), sorted.end(), before);
  sets.push_back({"sorted", sorted});
  sets.push_back({"reversed", Texts(sorted.rbegin(), sorted.rend())});
  return sets;
}

}  // namespace

TEST_CASE("byte strings are sorted as std::stable_sort does", "[sort][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  const std::string letters = GENERATE(std::string("ab"), std::string("ACGT"), std::string("etaoinshrdlu/._"),
                                       every_byte(), std::string({'\0', '\xFF'}));
  constexpr unsigned seed = 20251121;
  std::mt19937 rng(seed);
  for (const NamedTexts& set : difficult_sets(letters, rng)) {
    CAPTURE(to_string(backend), letters.size(), set.name, seed);
    const StringOrder got = sort_strings(bytes_of(set.texts), backend), wanted = wanted_order(set.texts);
    REQUIRE(got.order == wanted.order);
    REQUIRE(got.heads == wanted.heads);
  }
}

TEST_CASE("packed reads are sorted as their bases are", "[sort][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  constexpr unsigned seed = 31;
  std::mt19937 rng(seed);
  for (const NamedTexts& set : difficult_sets(bases, rng)) {
    CAPTURE(to_string(backend), set.name, seed);
    const StringOrder got = PackedReads(set.texts).sorted(backend), wanted = wanted_order(set.texts);
    REQUIRE(got.order == wanted.order);
    REQUIRE(got.heads == wanted.heads);
  }
}

TEST_CASE("all backends split many strings with long common prefixes alike", "[sort][backend]") {
  constexpr unsigned seed = 8;
  std::mt19937 rng(seed);
  Texts stems = {"/"};
  for (int i = 0; i < 400; ++i)
    stems.push_back(stems[rng() % stems.size()] + random_text(1 + rng() % 9, "etaoin", rng) + "/");
  Texts texts;
  for (std::size_t i = 0; i < enough_for_a_sample; ++i) {
    const std::string& stem = stems[rng() % stems.size()];
    texts.push_back(rng() % 3 == 0 ? stem : stem + std::to_string(rng() % 200000));
  }
  const StringOrder wanted = wanted_order(texts);
  for (const Backend& backend : available_backends(2)) {
    CAPTURE(to_string(backend), seed);
    check_same(sort_strings(bytes_of(texts), backend), wanted);
  }
}

TEST_CASE("all backends split many reads with long common prefixes alike", "[sort][backend]") {
  constexpr unsigned seed = 9;
  std::mt19937 rng(seed);
  Texts stems;
  for (int i = 0; i < 400; ++i) stems.push_back(random_text(33 + rng() % 40, bases, rng));
  Texts texts;
  for (std::size_t i = 0; i < enough_for_a_sample; ++i) {
    texts.push_back(stems[rng() % stems.size()] + random_text(rng() % 10, bases, rng));
  }
  const StringOrder wanted = wanted_order(texts);
  for (const Backend& backend : available_backends(2)) {
    CAPTURE(to_string(backend), seed);
    check_same(PackedReads(texts).sorted(backend), wanted);
  }
}

TEST_CASE("strings may begin anywhere in the text", "[sort][backend]") {
  const Backend backend = GENERATE(from_range(available_backends()));
  CAPTURE(to_string(backend));
  ByteStrings all = bytes_of({"zzz", "banana", "apple", "", "apple", "applesauce"});
  const View<std::uint64_t> offsets = all.offsets().part(1, all.offsets().size);
  const StringOrder got = sort_strings(all.text(), offsets, backend);
  CHECK(got.order == std::vector<std::uint32_t>{2, 1, 3, 4, 0});
  CHECK(got.heads == std::vector<std::uint32_t>{~(1U << 2)});
}

TEST_CASE("invalid offsets are rejected", "[sort]") {
  const std::vector<std::uint64_t> words(4, 0), none, falling = {4, 2};
  const ByteView text{words.data()};
  CHECK_THROWS_AS(sort_strings(text, View<std::uint64_t>(none), Backend{}), std::invalid_argument);
  CHECK_THROWS_AS(sort_strings(text, View<std::uint64_t>(falling), Backend{}), std::invalid_argument);
}

TEST_CASE("the first difference of two strings", "[sort]") {
  const ByteStrings strings =
      bytes_of({"common prefix and more", "common prefix", "common prefix ane", "common prefix"});
  const Strings<ByteView> view = end_to_end(strings.text(), strings.offsets().data, strings.count());
  const auto check = [&](std::uint64_t a, std::uint64_t b, std::uint64_t common, int order) {
    for (const std::uint64_t from : {0, 5, 8, 13}) {
      CHECK(part(view, a, b, from).common == common);
      CHECK(part(view, a, b, from).order == order);
      CHECK(part(view, b, a, from).order == -order);
    }
  };
  check(0, 1, 13, 1);
  check(0, 2, 16, -1);
  check(1, 3, 13, 0);
  CHECK(part(view, 0, 2, 0, 10).order == 0);
}

TEST_CASE("keys compare as the symbols that they contain", "[sort]") {
  std::mt19937 rng(4);
  Texts texts;
  for (int i = 0; i < 400; ++i) texts.push_back(random_text(rng() % 14, "ACGT", rng));
  const PackedReads packed(texts);
  const auto reads = end_to_end(PackedView{packed.words.data(), packed.offsets.back()}, packed.offsets.data(), 400);
  const ByteStrings byte_strings = bytes_of(texts);
  const auto letters = end_to_end(byte_strings.text(), byte_strings.offsets().data, 400);
  ByteCodes codes;
  std::fill(std::begin(codes.of), std::end(codes.of), ByteCodes::unknown);
  for (std::uint16_t i = 0; i < 4; ++i) codes.of[static_cast<unsigned char>(bases[i])] = i;
  const KeyShape shape = GENERATE(KeyShape{2, 5, 3}, KeyShape{2, 12, 4}, KeyShape{2, 29, 5});
  for (std::uint64_t a = 0; a < 400; ++a) {
    bool unforeseen = true;
    const std::uint64_t key_a = key_of(reads, a, 1, shape);
    REQUIRE(key_of(letters, a, 1, shape, codes.of, unforeseen) == key_a);
    REQUIRE(!unforeseen);
    const auto held = [&](std::uint64_t i) { return texts[i].size() < 1 ? "" : texts[i].substr(1, shape.symbols); };
    REQUIRE(shape.has_ended(key_a) == (held(a).size() < shape.symbols));
    for (std::uint64_t b = 0; b < a; ++b) REQUIRE((key_of(reads, b, 1, shape) < key_a) == (held(b) < held(a)));
  }
  bool unforeseen = false;
  const ByteStrings other = bytes_of({"ACGN"});
  key_of(end_to_end(other.text(), other.offsets().data, 1), 0, 0, KeyShape{2, 12, 4}, codes.of, unforeseen);
  CHECK(unforeseen);
}

TEST_CASE("the widest key fits its bits", "[sort]") {
  for (unsigned code_bits = 1; code_bits <= 8; ++code_bits) {
    for (unsigned bits = 16; bits <= 64; ++bits) {
      const KeyShape shape = widest_key(code_bits, bits);
      CHECK(shape.bits() <= bits);
      CHECK(shape.symbols >> shape.count_bits == 0);
      CHECK(bits - shape.bits() <= code_bits + 1);
    }
  }
}

}  // namespace warpseed
