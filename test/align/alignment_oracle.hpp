// Plain DP over whole matrices: slow, and independent of the library's code.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "align/align_options.hpp"
#include "text/alphabet.hpp"

namespace warpseed::test {

using Codes = std::vector<std::uint8_t>;

constexpr int minus_infinity = -1000000;

inline Codes random_codes(std::size_t length, int alphabet, std::mt19937& rng) {
  Codes codes(length);
  for (auto& code : codes) code = static_cast<std::uint8_t>(rng() % static_cast<unsigned>(alphabet));
  return codes;
}

inline std::string letters_of(const Codes& codes) {
  std::string bases;
  for (const std::uint8_t code : codes) bases += text::base_of_code(code);
  return bases;
}

/// A copy with substitutions, insertions and deletions, each at about one in `one_in` bases.
inline Codes mutated(const Codes& original, unsigned one_in, std::mt19937& rng) {
  Codes copy;
  for (const std::uint8_t code : original) {
    const auto dice = static_cast<unsigned>(rng() % (3 * one_in));
    if (dice == 0) continue;
    if (dice == 1) copy.push_back(static_cast<std::uint8_t>(rng() % 4));
    copy.push_back(dice == 2 ? static_cast<std::uint8_t>((code + 1 + rng() % 3) % 4) : code);
  }
  return copy;
}

/// Scores of all alignments of query[0..i) with genome[0..j) that start at (0, 0), by full matrices. A gap opens from
/// an aligned pair or at the start, never from another gap.
struct FullMatrix {
  std::vector<std::vector<int>> best;

  FullMatrix(const Codes& query, const Codes& genome, const Scoring& s, int start = 0) {
    const std::size_t rows = query.size() + 1, columns = genome.size() + 1;
    const std::vector<int> line(columns, minus_infinity);
    best.assign(rows, line);
    auto insertion = best, deletion = best, aligned = best;
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < columns; ++j) {
        if (i == 0 && j == 0) aligned[i][j] = start;
        if (i > 0 && j > 0) aligned[i][j] = best[i - 1][j - 1] + align::score_of(s, query[i - 1], genome[j - 1]);
        if (i > 0) {
          insertion[i][j] = std::max(aligned[i - 1][j] - s.insertion_open, insertion[i - 1][j]) - s.insertion_extend;
        }
        if (j > 0) {
          deletion[i][j] = std::max(aligned[i][j - 1] - s.deletion_open, deletion[i][j - 1]) - s.deletion_extend;
        }
        best[i][j] = std::max({aligned[i][j], insertion[i][j], deletion[i][j]});
      }
    }
  }

  int highest() const {
    int value = minus_infinity;
    for (const auto& row : best) value = std::max(value, *std::max_element(row.begin(), row.end()));
    return value;
  }
  int highest_with_whole_query() const { return *std::max_element(best.back().begin(), best.back().end()); }
};

}  // namespace warpseed::test
