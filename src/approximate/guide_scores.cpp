#include "approximate/guide_scores.hpp"

#include <stdexcept>
#include <string>

namespace warpseed::approximate {

namespace {

constexpr std::string_view dna_bases = "ACGT";

/// Share of the activity that a mismatch takes, [position]; the last position is next to the PAM.
constexpr double mit_weights[guide_length] = {0,     0,     0.014, 0,     0,     0.395, 0.317, 0,     0.389, 0.079,
                                              0.445, 0.508, 0.613, 0.851, 0.732, 0.828, 0.615, 0.804, 0.685, 0.583};

/// Share of the activity that a mismatch leaves, [RNA base A C G U][DNA base A C G T][position]. The DNA base is on the
/// strand that the RNA binds: the complement of the site's. Bases that pair are no mismatch and have no values.
constexpr double mismatch_activity[4][4][guide_length] = {
    {
        // rA:dA
        {1,           0.727272727, 0.705882353, 0.636363636, 0.363636364, 0.714285714, 0.4375,
         0.428571429, 0.6,         0.882352941, 0.307692308, 0.333333333, 0.3,         0.533333333,
         0.2,         0,           0.133333333, 0.5,         0.538461538, 0.6},
        // rA:dC
        {1,           0.8,         0.611111111, 0.625, 0.72,        0.714285714, 0.705882353,
         0.733333333, 0.666666667, 0.555555556, 0.65,  0.722222222, 0.652173913, 0.466666667,
         0.65,        0.192307692, 0.176470588, 0.4,   0.375,       0.764705882},
        // rA:dG
        {0.857142857, 0.785714286, 0.428571429, 0.352941176, 0.5,         0.454545455, 0.4375,
         0.428571429, 0.571428571, 0.333333333, 0.4,         0.263157895, 0.210526316, 0.214285714,
         0.272727273, 0,           0.176470588, 0.19047619,  0.206896552, 0.227272727},
        {},  // rA:dT pairs
    },
    {
        // rC:dA
        {1,           0.909090909, 0.6875,      0.8,         0.636363636, 0.928571429, 0.8125,
         0.875,       0.875,       0.941176471, 0.307692308, 0.538461538, 0.7,         0.733333333,
         0.066666667, 0.307692308, 0.466666667, 0.642857143, 0.461538462, 0.3},
        // rC:dC
        {0.913043478, 0.695652174, 0.5,         0.5,         0.6,         0.5,         0.470588235,
         0.642857143, 0.619047619, 0.388888889, 0.25,        0.444444444, 0.136363636, 0,
         0.05,        0.153846154, 0.058823529, 0.133333333, 0.125,       0.058823529},
        {},  // rC:dG pairs
        // rC:dT
        {1,           0.727272727, 0.866666667, 0.842105263, 0.571428571, 0.928571429, 0.75,
         0.65,        0.857142857, 0.866666667, 0.75,        0.714285714, 0.384615385, 0.35,
         0.222222222, 1,           0.466666667, 0.538461538, 0.428571429, 0.5},
    },
    {
        // rG:dA
        {1,           0.636363636, 0.5,    0.363636364, 0.3,         0.666666667, 0.571428571,
         0.625,       0.533333333, 0.8125, 0.384615385, 0.384615385, 0.3,         0.266666667,
         0.142857143, 0,           0.25,   0.666666667, 0.666666667, 0.7},
        {},  // rG:dC pairs
        // rG:dG
        {0.714285714, 0.692307692, 0.384615385, 0.529411765, 0.785714286, 0.681818182, 0.6875,
         0.615384615, 0.538461538, 0.4,         0.428571429, 0.529411765, 0.421052632, 0.428571429,
         0.272727273, 0,           0.235294118, 0.476190476, 0.448275862, 0.428571429},
        // rG:dT
        {0.9, 0.846153846, 0.75,        0.9,  0.866666667, 1, 1,           1,           0.642857143, 0.933333333,
         1,   0.933333333, 0.923076923, 0.75, 0.941176471, 1, 0.933333333, 0.692307692, 0.714285714, 0.9375},
    },
    {
        {},  // rU:dA pairs
        // rU:dC
        {0.956521739, 0.84, 0.5,         0.625, 0.64, 0.571428571, 0.588235294, 0.733333333, 0.619047619, 0.5,
         0.4,         0.5,  0.260869565, 0,     0.05, 0.346153846, 0.117647059, 0.333333333, 0.25,        0.176470588},
        // rU:dG
        {0.857142857, 0.857142857, 0.428571429, 0.647058824, 1,           0.909090909, 0.6875,
         1,           0.923076923, 0.533333333, 0.666666667, 0.947368421, 0.789473684, 0.285714286,
         0.272727273, 0.666666667, 0.705882353, 0.428571429, 0.275862069, 0.090909091},
        // rU:dT
        {1,           0.846153846, 0.714285714, 0.476190476, 0.5,         0.866666667, 0.875,
         0.8,         0.928571429, 0.857142857, 0.75,        0.8,         0.692307692, 0.619047619,
         0.578947368, 0.909090909, 0.533333333, 0.666666667, 0.285714286, 0.5625},
    },
};

/// Share of the activity that a PAM leaves, [second base A C G T][third base].
constexpr double pam_activity[4][4] = {
    {0, 0, 0.259259259, 0},                      // NAA NAC NAG NAT
    {0, 0, 0.107142857, 0},                      // NCA NCC NCG NCT
    {0.069444444, 0.022222222, 1, 0.016129032},  // NGA NGC NGG NGT
    {0, 0, 0.038961039, 0},                      // NTA NTC NTG NTT
};

void check_bases(std::string_view sequence, std::size_t length, std::string_view what) {
  if (sequence.size() == length && sequence.find_first_not_of(dna_bases) == std::string_view::npos) return;
  throw std::invalid_argument(std::string(what) + " must be " + std::to_string(length) + " bases, each A, C, G or T");
}

/// 0..3 for A, C, G, T.
std::size_t code_of(char base) {
  return dna_bases.find(base);
}

}  // namespace

double mit_score(std::string_view guide, std::string_view site) {
  check_bases(guide, guide_length, "mit_score: the guide");
  check_bases(site, guide_length, "mit_score: the site");
  double score = 100;
  std::size_t first = 0, last = 0, mismatches = 0;
  for (std::size_t i = 0; i < guide_length; ++i) {
    if (guide[i] == site[i]) continue;
    score *= 1 - mit_weights[i];
    if (mismatches++ == 0) first = i;
    last = i;
  }
  if (mismatches < 2) return score;  // no distance between mismatches, and 1/n^2 is 1
  constexpr double farthest = guide_length - 1;
  const double distance = static_cast<double>(last - first) / static_cast<double>(mismatches - 1);
  const double closeness = (farthest - distance) / farthest;
  return score / (closeness * 4 + 1) / static_cast<double>(mismatches * mismatches);
}

double cfd_score(std::string_view guide, std::string_view site, std::string_view pam) {
  check_bases(guide, guide_length, "cfd_score: the guide");
  check_bases(site, guide_length, "cfd_score: the site");
  check_bases(pam, pam_length, "cfd_score: the PAM");
  double score = 1;
  for (std::size_t i = 0; i < guide_length; ++i) {
    if (guide[i] == site[i]) continue;
    const std::size_t bound = 3 - code_of(site[i]);  // the complement
    score *= mismatch_activity[code_of(guide[i])][bound][i];
  }
  return score * pam_activity[code_of(pam[1])][code_of(pam[2])];
}

double specificity(double score_sum) {
  if (!(score_sum >= 0)) throw std::invalid_argument("specificity: a sum of scores is not negative");
  return 100 * 100 / (100 + score_sum);
}

}  // namespace warpseed::approximate
