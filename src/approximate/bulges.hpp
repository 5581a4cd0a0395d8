// The ways in which a guide can be aligned with bulges.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/base_set.hpp"

namespace warpseed::approximate {

constexpr unsigned max_bulges = 2;

/// The gaps of an alignment: '=' for a pair of bases (which may differ), 'D' for a base of the genome only (a DNA bulge),
/// 'I' for a base of the pattern only (an RNA bulge).
using BulgeForm = std::string;

/// All forms of a pattern of `length` bases with at most `bulges` unpaired ones. A bulge lies between two pairs, and a D is
/// not next to an I, as both together would be a mismatch. Fewer bulges come first, then those whose bulges are leftmost.
/// Cost: O(length ^ bulges) forms.
std::vector<BulgeForm> bulge_forms(std::uint32_t length, unsigned bulges);

/// Unpaired bases of a form.
unsigned bulges_of(std::string_view form);

/// The pattern that occurs, without gaps, where the given one does with the form's bulges: N for D, nothing for I.
/// The form describes pattern bases [first, first + its length without D).
std::vector<text::BaseSet> with_bulges(std::span<const text::BaseSet> pattern, std::uint32_t first,
                                       std::string_view form);

}  // namespace warpseed::approximate
