// A genome's separators in bitmaps, which avoids a search in the segments.
#pragma once

#include <cstdint>
#include <vector>

#include "suffix/bounded_text_core.hpp"

namespace warpseed::suffix {

/// Owns the data of a SeparatorView: an eighth of a byte per symbol.
class SeparatorMap {
 public:
  explicit SeparatorMap(const text::GenomeView& genome);

  SeparatorView view() const { return {bits_.data(), blocks_.data()}; }

 private:
  std::vector<std::uint32_t> bits_, blocks_;
};

}  // namespace warpseed::suffix
