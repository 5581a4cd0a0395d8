// Common extensions of pairs of positions in sequences.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/backend.hpp"
#include "overlap/pairs/pair_run.hpp"
#include "overlap/sequence_text.hpp"
#include "suffix/common_extension.hpp"
#include "warpseed/overlap.hpp"

namespace warpseed::overlap {

/// Pairs on their way to their lengths.
template <class Pos>
struct PairAnswers {
  std::vector<suffix::PositionPair<Pos>> positions;  // [pairs] in the text
  std::vector<std::size_t> nowhere;                  // pairs with a position on an N; any text position represents them
  std::vector<Pos> lengths;                          // [pairs]; of pairs in `nowhere` 0
};

/// Maps pairs of positions to lengths.
template <class Pos>
class PairExtender {
 public:
  /// Both must outlive the extender.
  PairExtender(const SequenceText& text, const PairSides& sides, const Backend& backend)
      : text_(text), sides_(sides), extension_(suffix::make_common_extension<Pos>(text.genome(), backend)) {}

  /// Finds the text positions of the pairs. Threads: may be called concurrently.
  void find_positions(std::span<const StrandPositionPair> pairs, PairAnswers<Pos>& answers) const {
    answers.positions.resize(pairs.size());
    answers.nowhere.clear();
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const auto target = position(pairs[i].target, 0, sides_.targets);
      const auto query = position(pairs[i].query, sides_.first_query, sides_.queries);
      if (!target || !query) answers.nowhere.push_back(i);
      answers.positions[i] = {static_cast<Pos>(target.value_or(0)), static_cast<Pos>(query.value_or(0))};
    }
  }

  /// Finds the lengths after find_positions(). One caller at a time.
  void find_lengths(PairAnswers<Pos>& answers) {
    answers.lengths.resize(answers.positions.size());
    if (text_.genome().text.size > 0) extension_->lengths(answers.positions, answers.lengths);
    for (const std::size_t i : answers.nowhere) answers.lengths[i] = 0;
  }

 private:
  std::optional<TextPos> position(const StrandPosition& location, std::uint32_t first,
                                  const text::SequenceList& list) const {
    const std::uint64_t length = list.sequences[location.sequence].length;
    const std::uint64_t offset = location.reverse ? length - 1 - location.position : location.position;
    return text_.position({first + location.sequence, offset, location.reverse, location.reverse});
  }

  const SequenceText& text_;
  const PairSides& sides_;
  std::unique_ptr<suffix::CommonExtension<Pos>> extension_;
};

}  // namespace warpseed::overlap
