// The LCP array at one byte for most rows.
#pragma once

#include <cstdint>
#include <vector>

#include "core/backend.hpp"
#include "text/genome_core.hpp"

namespace warpseed::suffix {

/// Data of a CompactLcp: one byte per row, and a sorted table of the rows whose length does not fit in a byte.
template <class Pos>
struct CompactLcpParts {
  static constexpr std::uint8_t in_table = 255;       // this and larger lengths are in the table
  static constexpr std::uint64_t block = 1ULL << 16;  // rows: so that 16 bits number a row within its block

  std::vector<std::uint8_t> bytes;       // [rows]
  std::vector<Pos> begins;               // [rows / block, rounded up, + 1] each block's first entry in the table
  std::vector<std::uint16_t> long_rows;  // [entries] within their block
  std::vector<Pos> lengths;              // [entries] 255 or more
};

/// The exact values of lcp_array() in less memory: 1 byte per row, and two bytes and a Pos for each row of 255 or more.
template <class Pos>
class CompactLcp {
 public:
  using Parts = CompactLcpParts<Pos>;

  CompactLcp() = default;
  /// Throws std::invalid_argument if the sizes are inconsistent.
  explicit CompactLcp(Parts parts);

  std::uint64_t size() const { return parts_.bytes.size(); }

  /// Cost: for a long row, a search among the long rows of one block.
  Pos operator[](std::uint64_t row) const {
    const std::uint8_t byte = parts_.bytes[row];
    return byte != Parts::in_table ? byte : parts_.lengths[entry_of(row)];
  }

  /// Memory of the values.
  std::uint64_t bytes() const;

  /// Reads consecutive rows without searches. The array must not move meanwhile.
  class Cursor {
   public:
    /// Returns the value of the current row, which must exist, and advances.
    Pos next() {
      const std::uint8_t byte = *byte_++;
      return byte != Parts::in_table ? byte : *length_++;
    }

   private:
    friend class CompactLcp;
    Cursor(const std::uint8_t* byte, const Pos* length) : byte_(byte), length_(length) {}

    const std::uint8_t* byte_;
    const Pos* length_;  // of the next long row
  };

  /// A cursor at a row, or at the end.
  Cursor from(std::uint64_t row) const {
    return {parts_.bytes.data() + row, parts_.lengths.data() + (row < size() ? entry_of(row) : 0)};
  }

  friend bool operator==(const CompactLcp& a, const CompactLcp& b) {
    return a.parts_.bytes == b.parts_.bytes && a.parts_.long_rows == b.parts_.long_rows &&
           a.parts_.lengths == b.parts_.lengths;
  }

 private:
  /// The first entry of the table at or after a row.
  std::uint64_t entry_of(std::uint64_t row) const;

  Parts parts_;
};

/// Equals lcp_array() (suffix/lcp.hpp) in parameters, errors and values, on every backend. With CUDA the device
/// compacts the values and returns one byte per row instead of four.
/// Memory: on the CPU that of lcp_array() and, temporarily, the result.
template <class Pos>
CompactLcp<Pos> compact_lcp_array(const text::GenomeView& genome, const std::vector<Pos>& suffixes,
                                  const Backend& backend);

extern template class CompactLcp<std::uint32_t>;
extern template class CompactLcp<std::uint64_t>;
extern template CompactLcp<std::uint32_t> compact_lcp_array(const text::GenomeView&, const std::vector<std::uint32_t>&,
                                                            const Backend&);
extern template CompactLcp<std::uint64_t> compact_lcp_array(const text::GenomeView&, const std::vector<std::uint64_t>&,
                                                            const Backend&);

}  // namespace warpseed::suffix
