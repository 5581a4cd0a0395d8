// The best scores of whole reads against a whole genome, for many reads at once.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "alignment_oracle.hpp"

namespace warpseed::test {

/// Fills the whole DP matrix (Smith and Waterman 1981, Gotoh 1982) for several queries at a time, one per lane. Every
/// loop over lanes does the same for each, so the compiler can vectorize it. As in the code under test, a gap opens
/// from an aligned pair, never from another gap.
class LocalOracle {
 public:
  static constexpr std::size_t lanes = 8;
  static constexpr std::size_t longest_query = 1000;  // 16 bits hold its scores

  explicit LocalOracle(const Scoring& scoring) : s_(scoring) {}

  /// For each query, the best score of any alignment of a part of it with a part of `genome`, less `clip` for each
  /// clipped end of the query. With clip 0 this is the local alignment score. No N anywhere.
  std::vector<int> best(const std::vector<Codes>& queries, const Codes& genome, int clip) {
    std::vector<int> scores;
    for (std::size_t first = 0; first < queries.size(); first += lanes) {
      const std::size_t count = std::min(lanes, queries.size() - first);
      begin(queries.data() + first, count, clip);
      for (const std::uint8_t base : genome) add_column(base);
      scores.insert(scores.end(), best_.begin(), best_.begin() + static_cast<long>(count));
    }
    return scores;
  }

 private:
  using Lanes = std::array<std::int16_t, lanes>;
  static constexpr std::int16_t never = -10000;

  struct Row {  // of one query base, in the current column
    Lanes letter, start, end;
    Lanes best;      // alignments that end with this base or in a gap after it
    Lanes deletion;  // of these, in a deletion
  };

  void begin(const Codes* queries, std::size_t count, int clip) {
    std::size_t longest = 0;
    for (std::size_t lane = 0; lane < count; ++lane) longest = std::max(longest, queries[lane].size());
    if (longest > longest_query) throw std::invalid_argument("LocalOracle: a query of more than 1,000 bases");
    Row blank;
    blank.letter.fill(9);
    blank.start.fill(static_cast<std::int16_t>(-clip));
    blank.end = blank.best = blank.deletion = never_;
    rows_.assign(longest, blank);
    best_.fill(never);
    for (std::size_t i = 0; i < longest; ++i) {
      for (std::size_t lane = 0; lane < count; ++lane) {
        const std::size_t size = queries[lane].size();
        if (i >= size) continue;
        rows_[i].letter[lane] = queries[lane][i];
        rows_[i].end[lane] = static_cast<std::int16_t>(i + 1 == size ? 0 : -clip);
      }
    }
    if (longest > 0) rows_[0].start.fill(0);
  }

  void add_column(std::uint8_t base);

  Scoring s_;
  Lanes never_ = [] {
    Lanes all;
    all.fill(never);
    return all;
  }();
  std::vector<Row> rows_;
  Lanes best_{};
};

inline void LocalOracle::add_column(std::uint8_t base) {
  const auto small = [](int value) { return static_cast<std::int16_t>(value); };
  const std::int16_t match = small(s_.match), mismatch = small(-s_.mismatch), letter = base;
  const std::int16_t insertion_open = small(s_.insertion_open), insertion_extend = small(s_.insertion_extend);
  const std::int16_t deletion_open = small(s_.deletion_open), deletion_extend = small(s_.deletion_extend);
  Lanes diagonal = never_, insertion = never_, best = best_;  // not members, so that the loops vectorize
  for (Row& row : rows_) {
    for (std::size_t k = 0; k < lanes; ++k) {
      const std::int16_t pair = row.letter[k] == letter ? match : mismatch;
      const std::int16_t aligned = small(std::max(diagonal[k], row.start[k]) + pair);
      diagonal[k] = row.best[k];
      row.best[k] = std::max(std::max(aligned, insertion[k]), row.deletion[k]);
      best[k] = std::max(best[k], small(aligned + row.end[k]));
      insertion[k] = small(std::max(small(aligned - insertion_open), insertion[k]) - insertion_extend);
      row.deletion[k] = small(std::max(small(aligned - deletion_open), row.deletion[k]) - deletion_extend);
    }
  }
  best_ = best;
}

}  // namespace warpseed::test
