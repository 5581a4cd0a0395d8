// A genome's separators in bitmaps, which avoids a search in the segments.
#pragma once

#include <cstdint>

#include "core/zero_pages.hpp"
#include "suffix/bounded_text_core.hpp"

namespace warpseed::suffix {

/// Owns the data of a SeparatorView: at most an eighth of a byte per symbol, little where separators are rare.
class SeparatorMap {
 public:
  explicit SeparatorMap(const text::GenomeView& genome);

  SeparatorView view() const { return {bits_.data(), blocks_.data()}; }

 private:
  ZeroedArray<std::uint32_t> bits_, blocks_;  // few of their pages are ever written
};

}  // namespace warpseed::suffix
