// Integer types of positions and rows, in memory and in files.
#pragma once

#include <cstdint>

#include "core/host_device.hpp"

namespace warpseed {

using TextPos = std::uint64_t;    // a position in the text, counting separators
using GenomePos = std::uint64_t;  // a position in the concatenated contigs, counting N runs
using Row = std::uint64_t;        // a row of the suffix array

/// Texts of at most this many symbols store positions and rows in 32 bits.
constexpr std::uint64_t narrow_limit = 0xFFFFFFFEULL;

constexpr bool fits_narrow(std::uint64_t symbols) {
  return symbols <= narrow_limit;
}

/// A stored array of positions or rows, 4 or 8 bytes each; non-owning, passed to kernels by value.
struct PositionArray {
  const void* data = nullptr;
  std::uint64_t size = 0;
  std::uint32_t width = 4;  // bytes per entry: 4 or 8

  WS_HD std::uint64_t operator[](std::uint64_t i) const {
    return width == 4 ? static_cast<const std::uint32_t*>(data)[i] : static_cast<const std::uint64_t*>(data)[i];
  }
  /// The address of entry i.
  WS_HD const void* at(std::uint64_t i) const { return static_cast<const char*>(data) + i * width; }
  std::uint64_t bytes() const { return size * width; }
};

/// A half-open range of suffix array rows; empty if a pattern does not occur.
struct RowRange {
  Row begin = 0;
  Row end = 0;

  WS_HD std::uint64_t count() const { return end - begin; }
  WS_HD bool empty() const { return begin >= end; }
  friend bool operator==(const RowRange&, const RowRange&) = default;
};

}  // namespace warpseed
