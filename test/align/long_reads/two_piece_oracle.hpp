// Two-piece gaps by whole matrices, and the score of a path: slow, and independent of the library's code.
#pragma once

#include <algorithm>
#include <vector>

#include "align/alignment_oracle.hpp"
#include "align/long_reads/long_alignment.hpp"
#include "align/long_reads/two_piece_core.hpp"

namespace warpseed::test {

/// H of all prefixes by five matrices; cells outside the band are unreachable.
struct TwoPieceMatrix {
  std::vector<std::vector<int>> best;  // [query bases + 1][genome bases + 1]

  TwoPieceMatrix(const Codes& query, const Codes& genome, const align::DiagonalBand& band, const LongScoring& s) {
    best.assign(query.size() + 1, std::vector<int>(genome.size() + 1, minus_infinity));
    auto deletion = best, insertion = best, deletion2 = best, insertion2 = best;
    for (int j = 0; j <= static_cast<int>(query.size()); ++j) {
      for (int i = 0; i <= static_cast<int>(genome.size()); ++i) {
        auto& here = best[j][i];
        if (i == 0 || j == 0) {
          here = -cost(s, std::max(i, j));
          continue;
        }
        if (i - j < band.lowest || i - j > band.highest) continue;
        deletion[j][i] = std::max(best[j][i - 1] - s.gap_open, deletion[j][i - 1]) - s.gap_extend;
        deletion2[j][i] = std::max(best[j][i - 1] - s.long_gap_open, deletion2[j][i - 1]) - s.long_gap_extend;
        insertion[j][i] = std::max(best[j - 1][i] - s.gap_open, insertion[j - 1][i]) - s.gap_extend;
        insertion2[j][i] = std::max(best[j - 1][i] - s.long_gap_open, insertion2[j - 1][i]) - s.long_gap_extend;
        const auto a = query[j - 1], b = genome[i - 1];
        here = best[j - 1][i - 1] + (a > 3 || b > 3 ? -1 : a == b ? s.match : -s.mismatch);
        here = std::max({here, deletion[j][i], deletion2[j][i], insertion[j][i], insertion2[j][i]});
      }
    }
  }

  static int cost(const LongScoring& s, int length) {
    if (length == 0) return 0;
    return std::min(s.gap_open + length * s.gap_extend, s.long_gap_open + length * s.long_gap_extend);
  }
};

/// The score of a path, and the bases that it covers.
struct Walked {
  int score = 0, query = 0, genome = 0;

  Walked(const align::Cigar& cigar, const Codes& q, const Codes& g, const LongScoring& s) {
    for (const records::CigarElement element : cigar) {
      const int length = static_cast<int>(records::cigar_length(element));
      if (records::cigar_op(element) != records::CigarOp::match) {
        score -= TwoPieceMatrix::cost(s, length);
        (records::cigar_op(element) == records::CigarOp::insertion ? query : genome) += length;
        continue;
      }
      for (int k = 0; k < length; ++k, ++query, ++genome) {
        const auto a = q.at(static_cast<std::size_t>(query)), b = g.at(static_cast<std::size_t>(genome));
        score += a > 3 || b > 3 ? -1 : a == b ? s.match : -s.mismatch;
      }
    }
  }
};

}  // namespace warpseed::test
