// Digits of a segment's keys: shared by the CPU and the CUDA segmented sort.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "core/host_device.hpp"

namespace warpseed::sort {

/// Replaces the value type when keys are sorted alone.
struct NoValue {};

template <class Value>
constexpr bool has_values = !std::is_same_v<Value, NoValue>;

/// Number of significant bits: 0 for 0, 32 for 2^31 and more.
WS_HD inline unsigned bits_in(std::uint32_t value) {
#ifdef __CUDA_ARCH__
  return 32U - static_cast<unsigned>(__clz(static_cast<int>(value)));
#else
  return static_cast<unsigned>(std::bit_width(value));
#endif
}

/// Splits keys of [lowest, highest] at a bit: the upper bits of (key - lowest) are the digit, the lower bits the rest.
/// Subtracting the lowest key removes the upper bits that all keys share, as ranks of neighbours do.
struct KeyCut {
  std::uint32_t lowest = 0;
  unsigned shift = 0;  // bits of the rest: 0..32
  unsigned bits = 0;   // bits of the digit: 0..32

  /// A digit of at most `max_bits` bits, the highest in which keys of this range differ.
  WS_HD static KeyCut top_bits(std::uint32_t lowest, std::uint32_t highest, unsigned max_bits) {
    const unsigned range_bits = bits_in(highest - lowest);
    const unsigned bits = range_bits < max_bits ? range_bits : max_bits;
    return {lowest, range_bits - bits, bits};
  }

  WS_HD std::uint32_t digit(std::uint32_t key) const {
    return static_cast<std::uint32_t>(std::uint64_t{key - lowest} >> shift);
  }

  /// The smallest key with this digit.
  WS_HD std::uint32_t first_key(std::uint32_t digit) const {
    return lowest + static_cast<std::uint32_t>(std::uint64_t{digit} << shift);
  }
};

/// Bits of a digit that splits `length` keys into parts of at most about `wanted` (more than half of it), if the keys
/// are spread evenly over their range.
WS_HD inline unsigned bits_for_parts(std::uint32_t length, std::uint32_t wanted) {
  return length == 0 ? 0 : bits_in((length - 1) / wanted);
}

}  // namespace warpseed::sort
