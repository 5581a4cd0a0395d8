// The CPU path of suffix_array(): libdivsufsort over bytes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "text/genome_core.hpp"

namespace warpseed::suffix {

/// Texts below this size are sorted by the 32-bit version of libdivsufsort.
constexpr std::uint64_t int32_symbols = std::uint64_t{1} << 31;

/// suffix_array() of a non-empty text. Throws IoError if memory does not suffice.
/// narrow_below: sizes from this on are sorted with 64 bits, whatever Pos is; tests lower it.
template <class Pos>
std::vector<Pos> sort_by_divsufsort(const text::GenomeView& genome, int threads,
                                    std::uint64_t narrow_below = int32_symbols);

/// suffix_array() of a non-empty text of bytes. Throws as above.
template <class Pos>
std::vector<Pos> sort_by_divsufsort(std::span<const std::uint8_t> bytes, std::uint64_t narrow_below = int32_symbols);

extern template std::vector<std::uint32_t> sort_by_divsufsort(const text::GenomeView&, int, std::uint64_t);
extern template std::vector<std::uint64_t> sort_by_divsufsort(const text::GenomeView&, int, std::uint64_t);
extern template std::vector<std::uint32_t> sort_by_divsufsort(std::span<const std::uint8_t>, std::uint64_t);
extern template std::vector<std::uint64_t> sort_by_divsufsort(std::span<const std::uint8_t>, std::uint64_t);

/// Peak memory of sorting, including the result.
std::uint64_t divsufsort_bytes(const text::GenomeView& genome, std::uint64_t position_width);
std::uint64_t divsufsort_bytes(std::uint64_t symbols, std::uint64_t segments, std::uint64_t position_width);

}  // namespace warpseed::suffix
