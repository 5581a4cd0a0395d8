// Extension by many columns of a row at a time, in the lanes of a processor's vectors.
//
// The same programme as extend_banded() with the same results, ends, ties and early stops included. It can be cut into
// lanes because a gap opens from an aligned pair only: what an insertion brings to a row is then a running maximum.
#pragma once

#include <cstdint>
#include <vector>

#include "align/align_options.hpp"
#include "align/extend/banded_dp_core.hpp"

namespace warpseed::align {

/// Scratch of extend_simd(); grows as needed and is kept from call to call.
struct SimdScratch {
  std::vector<std::uint64_t> memory;
  std::vector<ExtensionCell> row;
};

/// As extend_banded(): unsigned lanes of 8 bits where no score can exceed 255, else of 16, else cell by cell.
Extension extend_simd(const Strand& query, const Strand& genome, std::int32_t start_score, std::int32_t band,
                      const Scoring& scoring, SimdScratch& scratch);

}  // namespace warpseed::align
