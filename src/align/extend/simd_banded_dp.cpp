// Chooses the widest vectors that the processor has for simd_banded_dp-inl.hpp.
#include "align/extend/simd_banded_dp.hpp"

#include <limits>

// Vectors are members of SimdBandedDp, which those of SVE, sized when the program runs, cannot be. ARM has NEON.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "align/extend/simd_banded_dp.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h, which compiles this file once for every target:
#include <hwy/highway.h>

#include "align/extend/simd_banded_dp-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace warpseed::align {
namespace HWY_NAMESPACE {

Extension extend_narrow(const Strand& query, const Strand& genome, std::int32_t start_score, std::int32_t band,
                        const Scoring& scoring, SimdScratch& scratch) {
  return SimdBandedDp<std::uint8_t>(query, genome, start_score, band, scoring, scratch).run();
}

Extension extend_wide(const Strand& query, const Strand& genome, std::int32_t start_score, std::int32_t band,
                      const Scoring& scoring, SimdScratch& scratch) {
  return SimdBandedDp<std::uint16_t>(query, genome, start_score, band, scoring, scratch).run();
}

}  // namespace HWY_NAMESPACE
}  // namespace warpseed::align
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpseed::align {

HWY_EXPORT(extend_narrow);
HWY_EXPORT(extend_wide);

Extension extend_simd(const Strand& query, const Strand& genome, std::int32_t start_score, std::int32_t band,
                      const Scoring& scoring, SimdScratch& scratch) {
  const std::int64_t highest = start_score + std::int64_t{query.length} * scoring.match;
  if (highest <= std::numeric_limits<std::uint8_t>::max()) {
    return HWY_DYNAMIC_DISPATCH(extend_narrow)(query, genome, start_score, band, scoring, scratch);
  }
  if (highest <= std::numeric_limits<std::uint16_t>::max()) {
    return HWY_DYNAMIC_DISPATCH(extend_wide)(query, genome, start_score, band, scoring, scratch);
  }
  scratch.row.resize(std::max(scratch.row.size(), static_cast<std::size_t>(query.length) + 2));
  return extend_banded(query, genome, start_score, band, scoring, scratch.row.data());
}

}  // namespace warpseed::align
#endif
