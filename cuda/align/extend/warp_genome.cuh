// Reads a stretch of genome with all lanes of a warp.
#pragma once

#include <cstdint>

#include "core/warp.cuh"
#include "text/genome_core.hpp"

namespace warpseed::align::cuda {

/// Rarely needed, so not inlined.
__device__ __noinline__ inline std::uint8_t code_at(const text::GenomeView& genome, GenomePos at) {
  std::uint8_t code = text::code_n;
  text::fetch_codes(genome, at, at + 1, &code);
  return code;
}

/// Calls visit(i, code) for the bases of genome [begin, begin + length), in all lanes for 32 bases at a time; past the
/// end the code is code_n. Most stretches are in one segment, which is looked up once.
template <class Visit>
__device__ void for_codes(const text::GenomeView& genome, GenomePos begin, std::uint32_t length, Visit visit) {
  const TextPos text_begin = text::whole_in_text(genome, begin, length);
  const bool whole = text_begin != text::no_text_pos;
#pragma unroll 1
  for (std::uint32_t first = 0; first < length; first += warp_threads) {
    const std::uint32_t i = first + lane_id();
    std::uint8_t code = text::code_n;
    if (i < length && whole) code = genome.text[text_begin + i];
    if (i < length && !whole) code = code_at(genome, begin + i);
    visit(i, code);
  }
}

}  // namespace warpseed::align::cuda
