// The LCP array: how much each suffix has in common with the one before it in the order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/backend.hpp"
#include "text/genome_core.hpp"

namespace warpseed::suffix {

/// Longest common prefixes of neighbours in the suffix array.
///
/// Rows are compared by their first symbols; this settles most. Of the others only those are compared further whose
/// preceding symbols differ; these lengths add up to at most 2 n log n. Where the preceding symbols agree, the length
/// is one less than that at the text position before, and follows by a running maximum over the text.
/// Source:  Kaerkkaeinen, Manzini and Puglisi, "Permuted longest-common-prefix array", CPM 2009 (irreducible values).
///
/// suffixes: the array of suffix_array().
/// Returns:  [suffixes.size()] result[row]: bases that suffixes[row - 1] and suffixes[row] share before either meets
///           its segment's separator; separators match nothing. result[0] is 0. The same on every backend.
/// Pos:      std::uint32_t for texts of at most narrow_limit symbols, std::uint64_t for any; 64-bit positions are
///           dealt with on the CPU whatever the backend.
/// See also: suffix/compact_lcp.hpp, the same values in a byte a row.
/// Cost:     one random access to the text a row, two more for rows with a long common prefix.
/// Memory:   an array of that size beside the result where there are long common prefixes, an eighth of a byte a base;
///           on a device in all 12 bytes a symbol and the text.
/// Throws std::invalid_argument if suffixes has not the text's size or Pos is too narrow, BackendError if the device's
/// memory does not suffice.
template <class Pos>
std::vector<Pos> lcp_array(const text::GenomeView& genome, const std::vector<Pos>& suffixes, const Backend& backend);

/// The same for a text of bytes, all values allowed.
template <class Pos>
std::vector<Pos> lcp_array(std::span<const std::uint8_t> bytes, const std::vector<Pos>& suffixes,
                           const Backend& backend);

extern template std::vector<std::uint32_t> lcp_array(const text::GenomeView&, const std::vector<std::uint32_t>&,
                                                     const Backend&);
extern template std::vector<std::uint64_t> lcp_array(const text::GenomeView&, const std::vector<std::uint64_t>&,
                                                     const Backend&);
extern template std::vector<std::uint32_t> lcp_array(std::span<const std::uint8_t>, const std::vector<std::uint32_t>&,
                                                     const Backend&);
extern template std::vector<std::uint64_t> lcp_array(std::span<const std::uint8_t>, const std::vector<std::uint64_t>&,
                                                     const Backend&);

}  // namespace warpseed::suffix
