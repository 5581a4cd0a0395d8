// Bases by two bits, and qualities by as few bits as number those of a set; 16 at a time. Private to the module.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace warpseed::records {

/// Bytes of so many bases by two bits.
constexpr std::size_t two_bit_bytes(std::size_t bases) {
  return (bases + 3) / 4;
}

/// BAM's four bits a base (`from`) as two bits. False if one of them is not A, C, G or T; `out` is undefined then.
bool pack_two_bits(const std::uint8_t* from, std::size_t bases, std::uint8_t* out);

/// The reverse.
void unpack_two_bits(const std::uint8_t* from, std::size_t bases, std::uint8_t* out);

/// Up to 16 different qualities; each has a code, in the order in which they came.
class QualitySet {
 public:
  static constexpr std::size_t most = 16;

  /// Adds those of a record. Beyond 16 different ones the set stays too large.
  void add(std::span<const std::uint8_t> qualities);

  /// Bits of a code: 0, 1, 2 or 4. 8: there are too many qualities for codes.
  unsigned bits() const { return bits_for(count_); }

  /// Bytes that the codes of `count` qualities take.
  static constexpr std::size_t packed_bytes(std::size_t count, unsigned bits) { return (count * bits + 7) / 8; }

  /// The codes of a record's qualities, all of them in the set, which has codes. Returns their end.
  std::uint8_t* pack(std::span<const std::uint8_t> qualities, std::uint8_t* out) const;

  const std::array<std::uint8_t, most>& qualities() const { return qualities_; }

 private:
  static constexpr unsigned bits_for(std::size_t count) {
    return count <= 1 ? 0 : count == 2 ? 1 : count <= 4 ? 2 : count <= most ? 4 : 8;
  }
  bool has_all(std::span<const std::uint8_t> qualities) const;

  std::size_t count_ = 0;  // most + 1: too many
  std::array<std::uint8_t, most> qualities_ = {};
};

/// The qualities of codes. qualities: as of QualitySet, by code.
void unpack_qualities(const std::uint8_t* from, unsigned bits,
                      const std::array<std::uint8_t, QualitySet::most>& qualities, std::span<std::uint8_t> out);

}  // namespace warpseed::records
