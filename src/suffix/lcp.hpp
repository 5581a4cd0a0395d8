// The LCP array: the common prefix of each suffix and its predecessor in the suffix array.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/backend.hpp"
#include "text/genome_core.hpp"
#include "warpseed/device_arrays.hpp"

namespace warpseed::suffix {

/// Longest common prefixes of neighbours in the suffix array.
///
/// A comparison of the first symbols decides most rows. Only those others are compared further whose preceding symbols
/// differ (irreducible values); their lengths add up to at most 2 n log n. If the preceding symbols agree, the length
/// is one less than that at the previous text position and follows by a running maximum over the text.
/// Source:  Kaerkkaeinen, Manzini and Puglisi, "Permuted longest-common-prefix array", CPM 2009.
///
/// suffixes: the result of suffix_array().
/// Returns:  [suffixes.size()] result[row]: bases that suffixes[row - 1] and suffixes[row] share, up to the first
///           separator; separators match nothing. result[0] is 0. The same on every backend.
/// Pos:      std::uint32_t for texts of at most narrow_limit symbols, std::uint64_t for any; 64-bit positions are
///           always processed on the CPU.
/// See also: suffix/compact_lcp.hpp, the same values at a byte per row.
/// Cost:     one random access to the text per row, two more for rows with a long common prefix.
/// Memory:   with long common prefixes, another array of the result's size; an eighth of a byte per base; on a device
///           12 bytes per symbol in total, and the text.
/// Throws std::invalid_argument if the size of suffixes differs from the text's or Pos is too narrow, BackendError if
/// the device's memory does not suffice.
template <class Pos>
std::vector<Pos> lcp_array(const text::GenomeView& genome, const std::vector<Pos>& suffixes, const Backend& backend);

/// The same for a text of bytes, all values allowed.
template <class Pos>
std::vector<Pos> lcp_array(std::span<const std::uint8_t> bytes, const std::vector<Pos>& suffixes,
                           const Backend& backend);

/// The same for at most narrow_limit bytes and their suffix array on the device of a CUDA backend; the result stays
/// there. Throws std::invalid_argument if sizes differ, InputError if a position is outside the text.
DeviceArray<std::uint32_t> lcp_array(DeviceSpan<const std::uint8_t> bytes, DeviceSpan<const std::uint32_t> suffixes,
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
