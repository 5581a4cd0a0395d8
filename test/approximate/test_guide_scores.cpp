#include "approximate/guide_scores.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "catch.hpp"

namespace warpseed {

using namespace approximate;

namespace {

const std::string emx1 = "GAGTCCGAGCAGAAGAAGAA";

/// Equal but for the rounding of doubles.
Approx about(double value) {
  return Approx(value).epsilon(1e-12);
}

/// `guide` with `base` at a position that counts from 1, as the papers count.
std::string with_base(std::string guide, std::size_t position, char base) {
  guide.replace(position - 1, 1, 1, base);
  return guide;
}

/// The CFD value of one mismatch, by its name in the paper: 'A', 'G' and 3 for rA:dG at position 3.
double mismatch_value(char rna, char dna, std::size_t position) {
  const std::map<char, char> complement = {{'A', 'T'}, {'C', 'G'}, {'G', 'C'}, {'T', 'A'}};
  const std::string guide(guide_length, rna == 'U' ? 'T' : rna);
  return cfd_score(guide, with_base(guide, position, complement.at(dna)), "TGG");
}

const std::vector<std::string> mismatch_types = {"AA", "AC", "AG", "CA", "CC", "CT",
                                                 "GA", "GG", "GT", "UC", "UG", "UT"};

}  // namespace

TEST_CASE("MIT scores agree with those that other programs publish", "[approximate]") {
  struct Example {
    std::string guide, site;
    double score;
  };
  const std::string all_a(20, 'A'), all_g(20, 'G');
  const Example example = GENERATE_COPY(values<Example>({
      // The documentation tests of CRISPOR and crispycrunch.
      {all_g, all_g, 100},
      {with_base(all_g, 1, 'A'), all_g, 100},
      {all_a, with_base(all_a, 20, 'G'), 41.7},
      {all_a, all_g, 8.609700038185587e-08},
      {"AAGGCCAACCGGCGCCGCGC", "GCGCGGCGCCGGTTGGCCTT", 6.039504885480631e-06},
      {"GAAGGCCAACCGGCGCCGCG", "CGCGGCGCCGGTTGGCCTTC", 1.6703747039472636e-05},
      // A site of EMX1 in the tables of Haeussler et al., Genome Biology 17, 2016.
      {emx1, "GAGTCCTAGCAGGAGAAGAA", 1.76834471831},
      // The tests of FlashFry: with the mean of all pairs of mismatches this would be 0.4168.
      {"TTGTTTCCAGGTCAATGTGA", "TTGTCTTCAAGTCAATATGA", 0.36403873},
  }));
  CAPTURE(example.guide, example.site);
  CHECK(mit_score(example.guide, example.site) == Approx(example.score).epsilon(1e-8));
}

TEST_CASE("MIT scores agree with calculations by hand", "[approximate]") {
  CHECK(mit_score(emx1, emx1) == 100);
  CHECK(mit_score(emx1, with_base(emx1, 1, 'T')) == 100);
  CHECK(mit_score(emx1, with_base(emx1, 3, 'T')) == about(100 * (1 - 0.014)));
  CHECK(mit_score(emx1, with_base(emx1, 14, 'T')) == about(100 * (1 - 0.851)));
  CHECK(mit_score(emx1, with_base(emx1, 20, 'T')) == about(100 * (1 - 0.583)));

  const std::string sixth = with_base(emx1, 6, 'T'), first = with_base(emx1, 1, 'T');
  CHECK(mit_score(emx1, with_base(sixth, 16, 'T')) ==
        about(100 * (1 - 0.395) * (1 - 0.828) / ((19.0 - 10) / 19 * 4 + 1) / (2 * 2)));
  CHECK(mit_score(emx1, with_base(sixth, 7, 'T')) ==
        about(100 * (1 - 0.395) * (1 - 0.317) / ((19.0 - 1) / 19 * 4 + 1) / (2 * 2)));
  CHECK(mit_score(emx1, with_base(first, 20, 'T')) == about(100 * (1 - 0.583) / (2 * 2)));
  const double mean_distance = ((6 - 1) + (20 - 6)) / 2.0;
  CHECK(mit_score(emx1, with_base(with_base(sixth, 1, 'T'), 20, 'T')) ==
        about(100 * (1 - 0.395) * (1 - 0.583) / ((19.0 - mean_distance) / 19 * 4 + 1) / (3 * 3)));
}

TEST_CASE("single mismatches have the MIT score of their position, whatever their bases", "[approximate]") {
  // 100 * (1 - weight), from the weights that crisprScore lists.
  const std::array<double, guide_length> scores = {100,  100,  98.6, 100,  100,  60.5, 68.3, 100,  61.1, 92.1,
                                                   55.5, 49.2, 38.7, 14.9, 26.8, 17.2, 38.5, 19.6, 31.5, 41.7};
  const std::string guide(guide_length, 'C');
  for (std::size_t position = 1; position <= guide_length; ++position) {
    CAPTURE(position);
    CHECK(mit_score(guide, with_base(guide, position, 'A')) == about(scores[position - 1]));
    CHECK(mit_score(guide, with_base(guide, position, 'T')) == about(scores[position - 1]));
    CHECK(mit_score(with_base(guide, position, 'G'), guide) == about(scores[position - 1]));
  }
}

TEST_CASE("CFD scores agree with those that other programs publish", "[approximate]") {
  struct Example {
    std::string guide, site, pam;
    double score;
  };
  const std::string all_a(20, 'A'), all_c(20, 'C'), all_g(20, 'G'), all_t(20, 'T');
  const std::string flashfry = "GACTTGCATCCGAAGCCGGT";
  const Example example = GENERATE_COPY(values<Example>({
      // The documentation tests of CRISPOR.
      {all_g, "GGGGGGGGGGGGGGGGGAAA", "GGG", 0.4635989007074176},
      {all_g, all_g, "GGG", 1},
      {all_g, "AAAAGAGAGGGGGGGGGGGG", "GGG", 0.5140384614450001},
      {"ATGGTCGGACTCCCTGCCAG", "ATGGTGGGACTCCCTGCCAG", "AGG", 0.5},
      {"ATGGTCGGACTCCCTGCCAG", "ATGATCCAAATCCCTGCCAG", "AGG", 0.53625000020625},
      {"ATGTGGAGATTGCCACCTAC", "ATCTGGAGATTGCCACCTAC", "AGG", 0.384615385},
      // Those of crispycrunch: every position of a mismatch type, and sites that lose more one way than the other.
      {all_g, all_a, "TGG", 0.0703372084129132},
      {all_t, all_a, "TGG", 0.000537370080345105},
      {all_c, all_a, "TGG", 8.801223840655041e-05},
      {"AAGGCCAACCGGCGCCGCGC", "GCGCGGCGCCGGTTGGCCTT", "TGG", 2.705350026063259e-06},
      {"GAAGGCCAACCGGCGCCGCG", "CGCGGCGCCGGTTGGCCTTC", "TGG", 0},
      {"CCAAAAAGGAGAGATGGTGC", "CCAAAAAGGAGAAATGGTCC", "TGG", 0.41379310335013264},
      {"CCAAAAAGGAGAAATGGTCC", "CCAAAAAGGAGAGATGGTGC", "TGG", 0.08152173912499999},
      {"GCAGGCAGCGCGGCACTACC", "TTTGAAGGTTAGGCGGTGGG", "TGG", 5.716801869405846e-05},
      // The tests of FlashFry, which give nine digits.
      {flashfry, "GACCTGCATACGAAGCCTTT", "TGG", 0.249237473},
      {flashfry, "TTCTTGCATCAGAAGCCGCT", "TGG", 0.244514106},
      {flashfry, "GACCTGCATCCAAAGCCAGA", "TGG", 0.235180995},
      {flashfry, "GGCTGGCATCCCAAGCCAGT", "TGG", 0.187656109},
      {flashfry, "GACTTGCCTCCCAAACCTGT", "TGG", 0.142362828},
  }));
  CAPTURE(example.guide, example.site);
  CHECK(cfd_score(example.guide, example.site, example.pam) == Approx(example.score).epsilon(1e-8));
}

TEST_CASE("CFD scores are products of the values of mismatches and PAM", "[approximate]") {
  CHECK(cfd_score(emx1, emx1, "AGG") == 1);
  CHECK(mismatch_value('G', 'T', 1) == 0.9);
  CHECK(mismatch_value('U', 'C', 1) == 0.956521739);
  CHECK(mismatch_value('A', 'C', 20) == 0.764705882);
  CHECK(mismatch_value('C', 'C', 20) == 0.058823529);
  CHECK(mismatch_value('A', 'A', 16) == 0);
  CHECK(mismatch_value('C', 'T', 16) == 1);

  // G to A on the site's strand is rG:dT, A to C is rA:dG.
  const std::string site = with_base(with_base(emx1, 1, 'A'), 20, 'C');
  CHECK(cfd_score(emx1, site, "CGG") == about(0.9 * 0.227272727));
  CHECK(cfd_score(emx1, site, "CAG") == about(0.9 * 0.227272727 * 0.259259259));
}

TEST_CASE("the CFD value of a mismatch is a share of at most 29 guides", "[approximate]") {
  // The paper counts the active guides of each position and type, so a wrong digit is seldom such a fraction.
  for (const std::string& type : mismatch_types) {
    for (std::size_t position = 1; position <= guide_length; ++position) {
      const double value = mismatch_value(type[0], type[1], position);
      bool is_share = false;
      for (int guides = 1; guides <= 29; ++guides) {
        is_share = is_share || std::abs(value - std::round(value * guides) / guides) < 1e-9;
      }
      CAPTURE(type, position, value);
      CHECK(is_share);
    }
  }
}

TEST_CASE("the CFD values of mismatches have the sums of the paper's table", "[approximate]") {
  // Of the column of percent active guides in Supplementary Table 19 of Doench et al., 2016.
  const std::array<double, 12> type_sums = {9.942019009,  12.181381698, 7.311561791,  12.990110871,
                                            7.240712163,  13.414677136, 9.771016485,  9.69816559,
                                            17.664024455, 9.008040947,  12.972759072, 14.261618863};
  const std::array<double, guide_length> position_sums = {
      11.198136645, 9.3631247,   7.077204088, 7.297707504, 7.483809524, 8.935930737, 8.023634453,
      8.532051282,  8.374633699, 8.00428338,  6.295238097, 7.11063405,  5.770459746, 4.647619048,
      3.72005169,   4.575757576, 4.253921568, 5.668864468, 4.776272579, 5.346753246};
  std::array<double, guide_length> at_position = {};
  for (std::size_t t = 0; t < mismatch_types.size(); ++t) {
    const std::string& type = mismatch_types[t];
    double of_type = 0;
    for (std::size_t position = 1; position <= guide_length; ++position) {
      const double value = mismatch_value(type[0], type[1], position);
      of_type += value, at_position[position - 1] += value;
    }
    CAPTURE(type);
    CHECK(of_type == about(type_sums[t]));
  }
  for (std::size_t i = 0; i < guide_length; ++i) {
    CAPTURE(i);
    CHECK(at_position[i] == about(position_sums[i]));
  }
}

TEST_CASE("the last two bases of a PAM choose its CFD value", "[approximate]") {
  const std::map<std::string, double> active = {{"GG", 1},           {"AG", 0.259259259}, {"CG", 0.107142857},
                                                {"GA", 0.069444444}, {"TG", 0.038961039}, {"GC", 0.022222222},
                                                {"GT", 0.016129032}};
  const std::string bases = "ACGT";
  for (const char first : bases) {
    for (const char second : bases) {
      for (const char third : bases) {
        const std::string pam = {first, second, third};
        const auto found = active.find(pam.substr(1));
        CAPTURE(pam);
        CHECK(cfd_score(emx1, emx1, pam) == (found == active.end() ? 0 : found->second));
      }
    }
  }
}

TEST_CASE("scores refuse guides, sites and PAMs of other lengths or codes", "[approximate]") {
  const std::string wrong =
      GENERATE(as<std::string>{}, "", "GAGTCCGAGCAGAAGAAGA", "GAGTCCGAGCAGAAGAAGAAG", "GAGTCCGAGCAGAAGAAGAN",
               "gAGTCCGAGCAGAAGAAGAA", "GAGUCCGAGCAGAAGAAGAA", "GAGTCCGAGC-GAAGAAGAA");
  CAPTURE(wrong);
  CHECK_THROWS_AS(mit_score(wrong, emx1), std::invalid_argument);
  CHECK_THROWS_AS(mit_score(emx1, wrong), std::invalid_argument);
  CHECK_THROWS_AS(cfd_score(wrong, emx1, "TGG"), std::invalid_argument);
  CHECK_THROWS_AS(cfd_score(emx1, wrong, "TGG"), std::invalid_argument);
  CHECK_THROWS_AS(mit_score(wrong, wrong), std::invalid_argument);

  const std::string pam = GENERATE(as<std::string>{}, "", "GG", "TGGG", "NGG", "TgG", "TG-");
  CAPTURE(pam);
  CHECK_THROWS_AS(cfd_score(emx1, emx1, pam), std::invalid_argument);
}

TEST_CASE("the specificity falls with the sum of the scores", "[approximate]") {
  CHECK(specificity(0) == 100);
  CHECK(specificity(100) == 50);
  CHECK(specificity(60.5 + 41.7) == about(49.45598417408506));
  CHECK_THROWS_AS(specificity(-1), std::invalid_argument);
  CHECK_THROWS_AS(specificity(std::numeric_limits<double>::quiet_NaN()), std::invalid_argument);
}

}  // namespace warpseed
