// Scores of CRISPR-Cas9 off-target sites: how readily SpCas9 cuts a site that differs from its guide.
//
// MIT score: Hsu et al., "DNA targeting specificity of RNA-guided Cas9 nucleases", Nature Biotechnology 31, 2013.
// CFD score: Doench et al., "Optimized sgRNA design to maximize activity and minimize off-target effects of
// CRISPR-Cas9", Nature Biotechnology 34, 2016. The values of mismatches are those of its Supplementary Table 19, the
// values of PAMs those of the calculator that its authors published.
//
// Guides and sites have 20 bases and are both read on the strand of the PAM, from 5' to 3': a guide's own target is
// equal to it, and the PAM follows the last base. All bases are A, C, G or T in upper case.
#pragma once

#include <cstddef>
#include <string_view>

namespace warpseed::approximate {

constexpr std::size_t guide_length = 20;
constexpr std::size_t pam_length = 3;

/// The MIT score of one site, (0, 100]: 100 without mismatches; lower the more mismatches there are, the more their
/// positions weigh, and the nearer they are to each other. Positions 1, 2, 4, 5 and 8 (counted from 5') weigh nothing:
/// one mismatch there leaves 100. Neither the bases of a mismatch nor the PAM matter.
///
/// The distance is the mean between neighboring mismatches, as CRISPOR and FlashFry take it; the mean of all pairs, a
/// different reading of the definition, differs for three and more mismatches.
/// Throws std::invalid_argument unless guide and site are 20 bases.
double mit_score(std::string_view guide, std::string_view site);

/// The CFD (cutting frequency determination) score of one site, [0, 1]: the product of the shares of activity that its
/// mismatches leave, each by position, RNA base and DNA base, and that its PAM leaves; 1 for no mismatches and NGG.
///
/// pam: the three bases downstream of the site; the first does not matter.
/// Throws std::invalid_argument unless guide and site are 20 bases and the PAM is 3.
double cfd_score(std::string_view guide, std::string_view site, std::string_view pam);

/// The specificity of a guide, (0, 100]: 100 * 100 / (100 + score_sum), so 100 without off-target sites. CRISPOR
/// rounds it to an integer.
///
/// score_sum: of the scores of all its off-target sites, without the target, on a scale of 100: MIT scores, or a hundred
/// times CFD scores.
/// Throws std::invalid_argument if the sum is negative or not a number.
double specificity(double score_sum);

}  // namespace warpseed::approximate
