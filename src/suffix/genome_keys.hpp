// The first bases of a genome's suffixes as numbers.
#pragma once

#include <cstdint>

#include "suffix/bounded_text_core.hpp"
#include "suffix/difference_cover.hpp"
#include "text/genome_core.hpp"

namespace warpseed::suffix {

/// A genome's text as the sorter in parts takes it; owns nothing.
class GenomeKeys {
 public:
  static constexpr DifferenceCover cover = difference_cover(21);
  static constexpr unsigned symbols = cover.period;  // of a suffix that its key holds

  GenomeKeys(const text::GenomeView& genome, const SeparatorView& separators)
      : genome_(genome), separators_(separators) {}

  std::uint64_t size() const { return genome_.text.size; }

  /// Calls visit(slot, key) for slots [begin, end). Key: `symbols` bases in the highest bits, 0 from a separator on.
  template <class Slots, class Visit>
  void for_each_key(const Slots& slots, std::uint64_t begin, std::uint64_t end, Visit visit) const {
    if (begin >= end) return;
    std::uint64_t segment = text::segment_at(genome_, slots.position(begin));
    TextPos separator = genome_.separator_of(segment);
    for (std::uint64_t slot = begin; slot < end; ++slot) {
      const TextPos at = slots.position(slot);
      while (at > separator) separator = genome_.separator_of(++segment);
      std::uint64_t key = window_branchless(genome_.text, at) & mask(symbols);
      if (separator - at < symbols) [[unlikely]]
        key &= mask(static_cast<unsigned>(separator - at));
      visit(slot, key);
    }
  }

  /// The base upstream of a position; 0 at the start of a segment.
  unsigned upstream(TextPos at) const { return at == 0 ? 0 : genome_.text[at - 1]; }

  /// Symbols of a suffix before its separator, at most `symbols`.
  unsigned symbols_ahead(TextPos at) const {
    if (!separators_.maybe_near(at)) return symbols;
    const unsigned ahead = trailing_zeros(std::uint64_t{separators_.from(at)});
    return ahead < symbols ? ahead : symbols;
  }

 private:
  static std::uint64_t mask(unsigned bases) { return bases == 0 ? 0 : ~std::uint64_t{0} << (64 - 2 * bases); }

  text::GenomeView genome_;
  SeparatorView separators_;
};

}  // namespace warpseed::suffix
