// Suffix array and LCP array of a text.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "warpseed/context.hpp"

namespace warpseed {

/// The algorithm that sorts suffixes. All give the same array.
///
/// automatic             the fastest measured on the backend: difference_cover on the CPU (divsufsort for texts of
///                       bytes), prefix_doubling with CUDA, in parts if the device's memory does not hold the array
/// prefix_doubling       CUDA: Manber and Myers, SIAM J. Comput. 1993, starting with keys of 29 bases or 64 bits of
///                       bytes
/// skew                  CUDA: names two thirds of the suffixes and sorts them recursively, derives the order of the
///                       rest and merges: Kaerkkaeinen, Sanders and Burkhardt, "Linear work suffix array construction",
///                       J. ACM 2006
/// skew_prefix_doubling  CUDA: the same, but the two thirds are sorted by prefix doubling
/// difference_cover      CPU, all threads, for genomes: sorts the suffixes at the positions of a difference cover, then
/// parts of the
///                       suffixes by their first symbols and the order of these: Burkhardt and Kaerkkaeinen, CPM 2003
/// divsufsort            CPU, one thread: Mori's libdivsufsort
enum class SuffixSorter { automatic, prefix_doubling, skew, skew_prefix_doubling, difference_cover, divsufsort };

/// The positions of the text's suffixes in ascending order: [text.size()]. Bytes compare as unsigned numbers, all 256
/// values are allowed, and a proper prefix comes first.
///
/// Position: std::uint32_t for texts of at most 2^32 - 2 bytes, std::uint64_t for any.
/// Memory:   besides text and result little on the CPU (4 bytes per symbol more from 2^31 on), 21 bytes per symbol on a
///           GPU, at least 5.3 if it sorts in parts.
/// Throws InputError if Position is too narrow, BackendError for a sorter that the backend does not have or if a device
/// fails, IoError or BackendError if memory does not suffice.
template <class Position = std::uint32_t>
std::vector<Position> suffix_array(std::string_view text, const Context& context = Context(),
                                   SuffixSorter sorter = SuffixSorter::automatic);

/// The LCP array of a text and its suffix array: result[i] is the length of the longest common prefix of the suffixes
/// i - 1 and i, result[0] is 0.
/// Source: Kaerkkaeinen, Manzini and Puglisi, "Permuted longest-common-prefix array", CPM 2009.
/// Throws InputError if suffixes and text differ in size, or a position is outside the text.
template <class Position>
std::vector<Position> lcp_array(std::string_view text, const std::vector<Position>& suffixes,
                                const Context& context = Context());

extern template std::vector<std::uint32_t> suffix_array(std::string_view, const Context&, SuffixSorter);
extern template std::vector<std::uint64_t> suffix_array(std::string_view, const Context&, SuffixSorter);
extern template std::vector<std::uint32_t> lcp_array(std::string_view, const std::vector<std::uint32_t>&,
                                                     const Context&);
extern template std::vector<std::uint64_t> lcp_array(std::string_view, const std::vector<std::uint64_t>&,
                                                     const Context&);

}  // namespace warpseed
