// Bases and their codes: A=0 C=1 G=2 T=3, N=4 for every other IUPAC letter.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/host_device.hpp"
#include "warpseed/sequence.hpp"

namespace warpseed::text {

constexpr std::uint8_t code_n = 4;          // any base, matches nothing
constexpr std::uint8_t code_invalid = 255;  // not a nucleotide letter

namespace detail {

constexpr std::array<std::uint8_t, 256> make_code_table() {
  std::array<std::uint8_t, 256> table{};
  for (auto& code : table) code = code_invalid;
  for (const char letter : {'R', 'Y', 'S', 'W', 'K', 'M', 'B', 'D', 'H', 'V', 'N'}) {
    table[static_cast<unsigned char>(letter)] = code_n;
    table[static_cast<unsigned char>(letter | 0x20)] = code_n;
  }
  const char bases[] = {'A', 'C', 'G', 'T', 'U'};  // U is read as T
  const std::uint8_t codes[] = {0, 1, 2, 3, 3};
  for (int i = 0; i < 5; ++i) {
    table[static_cast<unsigned char>(bases[i])] = codes[i];
    table[static_cast<unsigned char>(bases[i] | 0x20)] = codes[i];
  }
  return table;
}

inline constexpr std::array<std::uint8_t, 256> code_table = make_code_table();

}  // namespace detail

/// 0..3 for ACGT (U as T), 4 for the other IUPAC letters, in either case; code_invalid for any other character.
constexpr std::uint8_t code_of_base(char letter) {
  return detail::code_table[static_cast<unsigned char>(letter)];
}

/// 'A' 'C' 'G' 'T' 'N' for 0..4.
constexpr char base_of_code(std::uint8_t code) {
  return "ACGTN"[code];
}

/// The base on the other strand; N stays N.
WS_HD constexpr std::uint8_t complement(std::uint8_t code) {
  return code < 4 ? static_cast<std::uint8_t>(3 - code) : code;
}

/// The IUPAC letter on the other strand, in the same case, A for U; other characters are unchanged.
constexpr char complement_letter(char letter) {
  constexpr std::string_view sequence = "ACGTURYKMBVDHacgturykmbvdh", partners = "TGCAAYRMKVBHDtgcaayrmkvbhd";
  const std::size_t at = sequence.find(letter);
  return at == std::string_view::npos ? letter : partners[at];
}

}  // namespace warpseed::text
