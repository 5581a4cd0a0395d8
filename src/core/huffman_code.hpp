// A length-limited prefix code of deflate, from the counts of its symbols. Private to the encoder.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/deflate_header_core.hpp"

namespace warpseed::deflate {

/// For up to literal_symbols symbols.
class HuffmanCode {
 public:
  /// At most `limit` bits a symbol. Symbols that do not occur have 0 bits.
  static HuffmanCode of(std::span<const std::uint32_t> counts, std::uint32_t limit);

  /// That of fixed blocks, for literals and lengths.
  static HuffmanCode fixed_literals();
  /// That of fixed blocks, for distances.
  static HuffmanCode fixed_distances();

  std::uint32_t bits(std::uint32_t symbol) const { return lengths_[symbol]; }
  std::uint32_t code(std::uint32_t symbol) const { return codes_[symbol]; }

  /// Of all symbols.
  const std::uint8_t* lengths() const { return lengths_.data(); }

  /// Bits of all symbols.
  std::uint64_t cost(std::span<const std::uint32_t> counts) const;

 private:
  void assign_codes() { canonical_codes(lengths_.data(), room, codes_.data()); }

  static constexpr std::uint32_t room = fixed_literal_symbols;
  std::array<std::uint8_t, room> lengths_ = {};
  std::array<std::uint16_t, room> codes_ = {};
};

}  // namespace warpseed::deflate
