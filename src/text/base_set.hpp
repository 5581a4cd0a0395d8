// Sets of bases, which IUPAC letters name: N is any base, R is A or G.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/host_device.hpp"

namespace warpseed::text {

/// Bit c is set if the base of code c (A=0 C=1 G=2 T=3) is in the set.
using BaseSet = std::uint8_t;

constexpr BaseSet any_base = 15;

/// The set of an IUPAC letter in either case, U as T; 0 for any other character.
constexpr BaseSet set_of_letter(char letter) {
  constexpr std::string_view letters = "-ACMGRSVTWYHKDBN";  // a letter's place is its set
  const char upper = letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 32) : letter;
  const std::size_t found = upper == '-' ? 0 : letters.find(upper == 'U' ? 'T' : upper);
  return found == std::string_view::npos ? BaseSet{0} : static_cast<BaseSet>(found);
}

/// The IUPAC letter of a set.
constexpr char letter_of_set(BaseSet set) {
  return "-ACMGRSVTWYHKDBN"[set];
}

/// The complements of the bases in a set.
WS_HD constexpr BaseSet complement_set(BaseSet set) {
  return static_cast<BaseSet>((set & 1) << 3 | (set & 2) << 1 | (set & 4) >> 1 | (set & 8) >> 3);
}

/// Number of bases in a set.
WS_HD constexpr unsigned set_size(BaseSet set) {
  return (set & 1U) + (set >> 1 & 1U) + (set >> 2 & 1U) + (set >> 3 & 1U);
}

}  // namespace warpseed::text
