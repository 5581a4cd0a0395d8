#include "text/base_set.hpp"

#include <string>
#include <utility>

#include "catch.hpp"

namespace warpseed {

using namespace text;

namespace {

constexpr std::pair<char, std::string_view> letters[] = {
    {'A', "A"},  {'C', "C"},  {'G', "G"},  {'T', "T"},   {'U', "T"},   {'R', "AG"},  {'Y', "CT"},  {'S', "CG"},
    {'W', "AT"}, {'K', "GT"}, {'M', "AC"}, {'B', "CGT"}, {'D', "AGT"}, {'H', "ACT"}, {'V', "ACG"}, {'N', "ACGT"}};

bool has(BaseSet set, char base) {
  return set >> std::string_view("ACGT").find(base) & 1;
}

}  // namespace

TEST_CASE("IUPAC letters in both cases name sets of bases", "[text]") {
  for (const auto& [letter, bases] : letters) {
    CAPTURE(letter);
    const BaseSet set = set_of_letter(letter);
    CHECK(set < 16);
    CHECK(set_of_letter(static_cast<char>(letter - 'A' + 'a')) == set);
    CHECK(set_size(set) == bases.size());
    for (const char base : {'A', 'C', 'G', 'T'}) {
      CHECK(has(set, base) == (bases.find(base) != std::string_view::npos));
    }
  }
  CHECK(set_of_letter('N') == 15);
}

TEST_CASE("characters that are not IUPAC letters name the empty set", "[text]") {
  for (int code = 0; code < 256; ++code) {
    const char character = static_cast<char>(code);
    CAPTURE(code);
    const bool named = std::string_view("ACGTURYSWKMBDHVNacgturyswkmbdhvn").find(character) != std::string_view::npos;
    CHECK((set_of_letter(character) != 0) == named);
  }
}

TEST_CASE("sets have sizes and complements", "[text]") {
  CHECK(set_size(0) == 0);
  CHECK(complement_set(0) == 0);
  for (BaseSet set = 1; set < 16; ++set) {
    CAPTURE(int(set));
    const BaseSet complement = complement_set(set);
    for (const auto& [base, paired] :
         {std::pair('A', 'T'), std::pair('C', 'G'), std::pair('G', 'C'), std::pair('T', 'A')}) {
      CHECK(has(complement, paired) == has(set, base));
    }
    CHECK(complement_set(complement) == set);
    CHECK(set_size(complement) == set_size(set));
  }
  CHECK(complement_set(set_of_letter('R')) == set_of_letter('Y'));
  CHECK(complement_set(set_of_letter('B')) == set_of_letter('V'));
  CHECK(complement_set(set_of_letter('W')) == set_of_letter('W'));
}

}  // namespace warpseed
