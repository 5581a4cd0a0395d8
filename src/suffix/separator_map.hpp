// A genome's separators in bitmaps, so that asking for one does not search the segments.
#pragma once

#include <cstdint>
#include <vector>

#include "suffix/bounded_text_core.hpp"

namespace warpseed::suffix {

/// Owns what SeparatorView shows: an eighth of a byte a symbol.
class SeparatorMap {
 public:
  explicit SeparatorMap(const text::GenomeView& genome);

  SeparatorView view() const { return {bits_.data(), blocks_.data()}; }

 private:
  std::vector<std::uint32_t> bits_, blocks_;
};

}  // namespace warpseed::suffix
