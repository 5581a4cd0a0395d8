// A stretch of genome, read by all lanes of a warp.
#pragma once

#include <cstdint>

#include "core/warp.cuh"
#include "text/genome_core.hpp"

namespace warpseed::align::cuda {

/// Seldom asked for: kept out of the way.
__device__ __noinline__ inline std::uint8_t code_at(const text::GenomeView& genome, GenomePos at) {
  std::uint8_t code = text::code_n;
  text::fetch_codes(genome, at, at + 1, &code);
  return code;
}

/// Calls visit(i, code) for the bases of genome [begin, begin + length), in all lanes for 32 bases at a time; from the end
/// on with code_n. Most stretches lie in one segment, which is looked for once.
template <class Visit>
__device__ void for_codes(const text::GenomeView& genome, GenomePos begin, std::uint32_t length, Visit visit) {
  const TextPos place = text::whole_in_text(genome, begin, length);
  const bool whole = place != text::no_text_pos;
#pragma unroll 1
  for (std::uint32_t first = 0; first < length; first += warp_threads) {
    const std::uint32_t i = first + lane_id();
    std::uint8_t code = text::code_n;
    if (i < length && whole) code = genome.text[place + i];
    if (i < length && !whole) code = code_at(genome, begin + i);
    visit(i, code);
  }
}

}  // namespace warpseed::align::cuda
