// Is an array the suffix array of a text? Linear time, whatever made it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "text/genome_core.hpp"

namespace warpseed::suffix {

/// The first row of `suffixes` that is wrong (suffix_check_core.hpp), or suffixes.size() if it is the suffix array of the
/// text as suffix_array() makes it; 0 if it has not the text's size.
///
/// Cost: O(n) on `threads` threads. Memory: another array of that size, and an eighth of a byte a base.
template <class Pos>
std::uint64_t first_wrong_row(const text::GenomeView& genome, const std::vector<Pos>& suffixes, int threads);
template <class Pos>
std::uint64_t first_wrong_row(std::span<const std::uint8_t> bytes, const std::vector<Pos>& suffixes, int threads);

extern template std::uint64_t first_wrong_row(const text::GenomeView&, const std::vector<std::uint32_t>&, int);
extern template std::uint64_t first_wrong_row(const text::GenomeView&, const std::vector<std::uint64_t>&, int);
extern template std::uint64_t first_wrong_row(std::span<const std::uint8_t>, const std::vector<std::uint32_t>&, int);
extern template std::uint64_t first_wrong_row(std::span<const std::uint8_t>, const std::vector<std::uint64_t>&, int);

}  // namespace warpseed::suffix
