// Sets of bases, which IUPAC codes name: N is any base, R is A or G.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/host_device.hpp"

namespace warpseed::text {

/// Bit c is set if the base of code c (A=0 C=1 G=2 T=3) is in the set.
using BaseSet = std::uint8_t;

namespace detail {

constexpr std::string_view letters_of_sets = "-ACMGRSVTWYHKDBN";  // a letter's index is its set

constexpr std::array<BaseSet, 256> make_set_table() {
  std::array<BaseSet, 256> table{};
  for (std::size_t set = 1; set < letters_of_sets.size(); ++set) {
    const auto letter = static_cast<unsigned char>(letters_of_sets[set]);
    table[letter] = table[letter | 0x20U] = static_cast<BaseSet>(set);
  }
  table['U'] = table['u'] = table['T'];
  return table;
}

inline constexpr std::array<BaseSet, 256> set_table = make_set_table();

}  // namespace detail

/// The set of an IUPAC code in either case, U as T; 0 for any other character.
constexpr BaseSet set_of_letter(char letter) {
  return detail::set_table[static_cast<unsigned char>(letter)];
}

/// The complements of the bases in a set.
WS_HD constexpr BaseSet complement_set(BaseSet set) {
  return static_cast<BaseSet>((set & 1) << 3 | (set & 2) << 1 | (set & 4) >> 1 | (set & 8) >> 3);
}

/// The sets of a pattern, or of its reverse complement; owns nothing.
struct StrandSets {
  const BaseSet* forward = nullptr;  // [length] of the pattern
  std::uint32_t length = 0;
  bool reverse = false;

  WS_HD constexpr BaseSet operator[](std::uint64_t i) const {
    return reverse ? complement_set(forward[length - 1 - i]) : forward[i];
  }
};

/// Number of bases in a set.
WS_HD constexpr unsigned set_size(BaseSet set) {
  return (set & 1U) + (set >> 1 & 1U) + (set >> 2 & 1U) + (set >> 3 & 1U);
}

}  // namespace warpseed::text
