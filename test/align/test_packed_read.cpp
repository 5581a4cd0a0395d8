#include "align/pipeline/read_alignments.hpp"

#include <random>
#include <string>

#include "catch.hpp"
#include "text/alphabet.hpp"

using namespace warpseed;
using namespace warpseed::align;
using namespace warpseed::text;

TEST_CASE("a read is packed on both strands in the order of its bases", "[align][packed_read]") {
  constexpr unsigned seed = 20261122;
  CAPTURE(seed);
  std::mt19937 rng(seed);
  const std::string_view bases[] = {"ACGT", "ACGTacgtUu", "ACGTNRYSWKMBDHVnryswkmbdhv-*."};
  for (std::size_t length = 0; length < 300; ++length) {
    const std::string_view some = bases[rng() % 3];
    std::string text(length, ' ');
    for (char& letter : text) letter = some[rng() % some.size()];
    CAPTURE(text);
    std::vector<std::uint64_t> words(PackedRead::words_of(length), rng());
    std::vector<std::uint8_t> codes(PackedRead::code_bytes(length), 7);
    PackedRead read, own;
    read.assign(text, words.data(), codes.data());
    own.assign(text);
    REQUIRE(read.length() == length);
    REQUIRE(read.bases() == text);
    REQUIRE(std::ranges::equal(read.words(), own.words()));
    std::vector<std::uint64_t> wanted(4 * packed_words(length));
    for (std::size_t i = 0; i < length; ++i) {
      const std::uint8_t code = std::min(code_of_base(text[i]), code_n);
      const std::size_t reverse = length - 1 - i;
      REQUIRE(read.codes(false)[i] == code);
      REQUIRE(read.codes(true)[reverse] == complement(code));
      const auto set = [&](std::size_t part, std::size_t at, std::uint64_t pair) {
        wanted[part * packed_words(length) + at / 32] |= pair << (62 - 2 * (at % 32));
      };
      set(0, i, code & 3U), set(1, i, code >> 2U);
      set(2, reverse, code < 4 ? 3U - code : 0U), set(3, reverse, code >> 2U);
    }
    REQUIRE(std::ranges::equal(read.words(), wanted));
  }
}
