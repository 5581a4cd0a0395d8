// Consecutive numbers of the suffixes that take part in a sort.
#pragma once

#include <cstdint>

#include "core/types.hpp"
#include "suffix/difference_cover.hpp"

namespace warpseed::suffix {

/// Every suffix takes part: slot i is the suffix at text position i.
struct AllSlots {
  std::uint64_t count = 0;
  WS_HD TextPos position(std::uint64_t slot) const { return slot; }
};

/// The suffixes at the positions of a difference cover.
struct CoverSlots {
  std::uint64_t count = 0;
  DifferenceCover cover;
  WS_HD TextPos position(std::uint64_t slot) const { return cover.position(slot); }
};

}  // namespace warpseed::suffix
