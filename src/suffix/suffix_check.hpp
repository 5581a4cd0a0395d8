// Checks whether an array is the suffix array of a text, in linear time and independent of the sorter.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "text/genome_core.hpp"

namespace warpseed::suffix {

/// Returns the first wrong row of `suffixes` (suffix_check_core.hpp), or suffixes.size() if it is the text's suffix
/// array as defined by suffix_array(); 0 if its size differs from the text's.
///
/// Cost: O(n) on `threads` threads. Memory: another array of that size, and an eighth of a byte per base.
template <class Pos>
std::uint64_t first_wrong_row(const text::GenomeView& genome, const std::vector<Pos>& suffixes, int threads);
template <class Pos>
std::uint64_t first_wrong_row(std::span<const std::uint8_t> bytes, const std::vector<Pos>& suffixes, int threads);

extern template std::uint64_t first_wrong_row(const text::GenomeView&, const std::vector<std::uint32_t>&, int);
extern template std::uint64_t first_wrong_row(const text::GenomeView&, const std::vector<std::uint64_t>&, int);
extern template std::uint64_t first_wrong_row(std::span<const std::uint8_t>, const std::vector<std::uint32_t>&, int);
extern template std::uint64_t first_wrong_row(std::span<const std::uint8_t>, const std::vector<std::uint64_t>&, int);

}  // namespace warpseed::suffix
