// Ungapped scores of the diagonals of seed hits, on a device.
#pragma once

#include <cstdint>

#include "align/alignment_view.cuh"
#include "align/chain/chain_core.hpp"
#include "core/buffer.cuh"

namespace warpseed::align::cuda {

/// The score of the ungapped alignment along the diagonal of each hit of a part: [hits].
Buffer<std::int32_t> ungapped_diagonal_scores(const AlignmentView& view, View<SeedHit> hits, const Stream& stream);

}  // namespace warpseed::align::cuda
