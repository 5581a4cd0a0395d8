// A suffix with the ranks that decide between suffixes with equal keys.
#pragma once

#include <array>
#include <cstdint>

#include "core/types.hpp"
#include "suffix/difference_cover.hpp"

namespace warpseed::suffix {

/// Which of the next positions in a cover decide a comparison.
template <DifferenceCover cover>
struct CoverSteps {
  /// [a][b]: for positions with residues a and b the cover positions, counted from a, before the step that takes both
  /// into the cover.
  std::uint8_t number[cover.period][cover.period] = {};

  constexpr CoverSteps() {
    for (unsigned a = 0; a < cover.period; ++a) {
      for (unsigned b = 0; b < cover.period; ++b) {
        for (unsigned i = 0; i < cover.step(a, b); ++i) number[a][b] += cover.has(a + i);
      }
    }
  }
};

/// Compares without the text and without access to memory at random places. Text: GenomeKeys or the like.
template <class Text, class Word, class Slot>
class TiedSuffix {
 public:
  TiedSuffix() = default;

  /// ranks: of the text's cover, by slot.
  TiedSuffix(const Text& text, const Slot* ranks, Word word_, TextPos at)
      : word(word_), ahead_(static_cast<std::uint8_t>(text.symbols_ahead(at))) {
    residue_ = static_cast<std::uint8_t>(at % Text::cover.period);
    const Slot* first = ranks + Text::cover.slot_from(at);
    if (ahead_ == Text::symbols) std::copy(first, first + ranks_.size(), ranks_.begin());
  }

  static bool less(const TiedSuffix& a, const TiedSuffix& b) {
    if (a.ahead_ != b.ahead_) return a.ahead_ < b.ahead_;  // with equal keys the rest of the longer one is all A
    if (a.ahead_ < Text::symbols) return a.word < b.word;  // both end here: the earlier separator is the smaller
    return a.ranks_[steps.number[a.residue_][b.residue_]] < b.ranks_[steps.number[b.residue_][a.residue_]];
  }

  Word word;

 private:
  static constexpr CoverSteps<Text::cover> steps = {};

  std::array<Slot, Text::cover.size> ranks_;  // of the next positions in the cover; no values where the suffix ends
  std::uint8_t residue_ = 0, ahead_ = 0;
};

}  // namespace warpseed::suffix
