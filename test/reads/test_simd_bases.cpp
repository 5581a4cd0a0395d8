// SIMD functions on bases against a loop over single characters.
#include <cctype>

#include "catch.hpp"
#include "reads/helpers.hpp"
#include "reads/simd_bases.hpp"

using namespace warpseed;
using namespace warpseed::reads;

TEST_CASE("every character is checked at every position", "[reads][letters]") {
  const std::uint64_t size = GENERATE(1, 2, 15, 16, 17, 31, 32, 33, 150);
  const std::string alphabet = GENERATE("ACGTNacgtn", "ACGTacgt");
  CAPTURE(size, alphabet);
  std::mt19937 rng(31);
  const std::string common = test::random_text(size, alphabet, rng);
  const std::string visible = test::random_text(size, test::all_qualities(), rng);
  CHECK(only_acgtn(common));
  CHECK(only_printable(visible));
  for (std::uint64_t at = 0; at < size; ++at) {
    for (int value = 0; value < 256; ++value) {
      const char letter = static_cast<char>(value);
      std::string text = common, qualities = visible;
      text[at] = qualities[at] = letter;
      const bool is_common = std::string_view("ACGTNacgtn").find(letter) != std::string_view::npos;
      if (only_acgtn(text) != is_common) FAIL("letter " << value << " at " << at);
      if (only_acgt(text) != (is_common && text.find_first_of("Nn") == std::string::npos)) FAIL("letter " << value);
      if (only_printable(qualities) != (value >= '!' && value <= '~')) FAIL("quality " << value << " at " << at);
    }
  }
}

TEST_CASE("empty texts are valid", "[reads][letters]") {
  CHECK(only_acgtn({}));
  CHECK(only_acgt({}));
  CHECK(only_printable({}));
}

namespace {

/// By the table of the SAM specification, 4.2.3.
int nibble(char letter) {
  const char upper = letter == 'u' || letter == 'U' ? 'T' : static_cast<char>(std::toupper(letter));
  const std::size_t at = std::string_view("=ACMGRSVTWYHKDBN").find(upper);
  return at == std::string_view::npos || at == 0 ? 15 : static_cast<int>(at);
}

char partner(char letter) {
  constexpr std::string_view bases = "ACGTURYKMBVDHacgturykmbvdh", partners = "TGCAAYRMKVBHDtgcaayrmkvbhd";
  const std::size_t at = bases.find(letter);
  return at == std::string_view::npos ? letter : partners[at];
}

}  // namespace

TEST_CASE("bases and qualities are packed as by the scalar loop", "[reads][letters]") {
  const std::uint64_t size = GENERATE(0, 1, 2, 3, 14, 15, 16, 17, 18, 31, 32, 33, 47, 48, 149, 150, 151);
  const bool reversed = GENERATE(false, true);
  CAPTURE(size, reversed);
  std::mt19937 rng(32);
  std::string bytes;
  for (int value = 0; value < 128; ++value) bytes += static_cast<char>(value);
  for (const std::string& alphabet : {std::string("ACGT"), std::string("ACGTNacgtnURYKMSWBDHVuryk="), bytes}) {
    const std::string bases = test::random_text(size, alphabet, rng);
    const std::string qualities = test::random_text(size, test::all_qualities(), rng);
    std::string shown = bases, shown_qualities = qualities;
    if (reversed) {
      std::reverse(shown.begin(), shown.end());
      std::transform(shown.begin(), shown.end(), shown.begin(), partner);
      std::reverse(shown_qualities.begin(), shown_qualities.end());
    }
    constexpr std::uint8_t untouched = 0xA5;
    std::vector<std::uint8_t> packed((size + 1) / 2 + 1, untouched), numbers(size + 1, untouched);
    pack_bases(bases, reversed, packed.data());
    pack_qualities(qualities, reversed, numbers.data());
    for (std::uint64_t i = 0; i < size; ++i) {
      CHECK((i % 2 == 0 ? packed[i / 2] >> 4 : packed[i / 2] & 15) == nibble(shown[i]));
      CHECK(numbers[i] == shown_qualities[i] - 33);
    }
    if (size % 2 == 1) CHECK((packed[size / 2] & 15) == 0);
    CHECK((packed.back() == untouched && numbers.back() == untouched));
  }
}
