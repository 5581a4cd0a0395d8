// Banded DP extension in SIMD lanes, many columns of a row at a time.
//
// The same DP as extend_banded(), with the same results, ends, ties and early stops. Only a query end that reaches_end()
// rejects may be missing: it ends when nothing alive can still matter. Lanes work because a gap opens
// from an aligned pair only: the effect of insertions on a row is then a running maximum.
#pragma once

#include <cstdint>
#include <vector>

#include "align/align_options.hpp"
#include "align/extend/banded_dp_core.hpp"

namespace warpseed::align {

/// Scratch of extend_simd(); grows as needed and is reused for all calls.
struct SimdScratch {
  std::vector<std::uint64_t> memory;
  std::vector<ExtensionCell> row;
};

/// As extend_banded(): unsigned 8-bit lanes if no score can exceed 255, else 16-bit lanes, else cell by cell.
Extension extend_simd(const Strand& query, const Strand& genome, std::int32_t start_score, std::int32_t band,
                      const Scoring& scoring, SimdScratch& scratch);

}  // namespace warpseed::align
