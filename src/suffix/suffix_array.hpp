// The suffix array of a genome's text.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/backend.hpp"
#include "text/genome_core.hpp"

namespace warpseed {

enum class SuffixSorter { automatic, prefix_doubling, divsufsort };

/// "automatic", "prefix-doubling", "divsufsort".
std::string_view to_string(SuffixSorter sorter);

/// The sorter that `automatic` means on a backend, or `wanted` itself.
/// Throws InputError for an unknown name, BackendError for a sorter the backend does not have.
SuffixSorter choose_sorter(std::string_view wanted, const Backend& backend);

/// Sorts the suffixes of a text; the result is the same from every sorter and backend.
///
/// Order:   by symbols, a separator before any base, of two separators the earlier one first. So all suffixes differ
///          at or before a separator, and no comparison runs across one.
/// Returns: [text.size] the text positions of the suffixes in ascending order; separators take part, so the first
///          segment_count() rows are the separators in text order. An empty text gives an empty array.
/// Pos:     std::uint32_t for texts of at most narrow_limit symbols, std::uint64_t for any.
/// Cost:    prefix_doubling (Manber and Myers, SIAM J. Comput. 1993, started at 32 bases): O(n log n) device work;
///          divsufsort (Mori): O(n log n) on one core.
/// Memory:  divsufsort 5n bytes below 2^31 symbols, 9n beyond; prefix_doubling 25n bytes of device
///          memory, and 40 for each suffix that is tied after its first 32 bases.
/// Throws std::invalid_argument if Pos is too narrow, IoError or BackendError if memory does not suffice.
template <class Pos>
std::vector<Pos> suffix_array(const GenomeView& genome, const Backend& backend,
                              SuffixSorter sorter = SuffixSorter::automatic);

extern template std::vector<std::uint32_t> suffix_array(const GenomeView&, const Backend&, SuffixSorter);
extern template std::vector<std::uint64_t> suffix_array(const GenomeView&, const Backend&, SuffixSorter);

}  // namespace warpseed
