// Blocks to be deflated, and fields of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "core/deflate_tokens.hpp"

namespace warpseed::test {

using Bytes = std::vector<std::byte>;

inline Bytes random_bytes(std::size_t size, unsigned symbols, std::mt19937& rng) {
  Bytes bytes(size);
  for (std::byte& byte : bytes) byte = std::byte(rng() % symbols);
  return bytes;
}

inline Bytes periodic_bytes(std::size_t size, std::size_t period, std::mt19937& rng) {
  Bytes bytes = random_bytes(size, 256, rng);
  for (std::size_t i = period; i < size; ++i) bytes[i] = bytes[i - period];
  return bytes;
}

/// Copies of earlier parts, of all lengths and distances, between random bytes.
inline Bytes copied_bytes(std::size_t size, std::mt19937& rng) {
  Bytes bytes = random_bytes(size, 256, rng);
  for (std::size_t at = 1; at < size;) {
    at += rng() % 6;
    const std::size_t distance = 1 + rng() % (rng() % 4 == 0 ? 60000 : 700);
    const std::size_t end = std::min<std::size_t>(size, at + rng() % (rng() % 8 == 0 ? 400 : 40));
    for (; at < end; ++at) bytes[at] = at >= distance ? bytes[at - distance] : std::byte{7};
  }
  return bytes;
}

/// Some of them without bytes.
inline std::vector<deflate::Field> random_fields(std::size_t size, std::size_t longest, std::mt19937& rng) {
  std::vector<deflate::Field> fields;
  for (std::uint32_t end = 0; end < size;) {
    end = static_cast<std::uint32_t>(std::min<std::size_t>(size, end + rng() % longest));
    fields.push_back({end, static_cast<deflate::FieldKind>(rng() % 3)});
  }
  return fields;
}

}  // namespace warpseed::test
