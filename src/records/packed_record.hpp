// How a record is packed: PackedHead, data, and zeros up to a multiple of its alignment. Private to the module.
#pragma once

#include <htslib/sam.h>

#include <cstddef>
#include <cstdint>

namespace warpseed::records {

/// Precedes a record's data.
struct PackedHead {
  bam1_core_t core;
  std::uint64_t id;
  std::uint64_t data_bytes;
};

/// Records begin at multiples of this, as the numbers in them ask for.
constexpr std::size_t packed_alignment = alignof(PackedHead);

constexpr std::size_t packed_aligned(std::size_t bytes) {
  return (bytes + packed_alignment - 1) / packed_alignment * packed_alignment;
}

/// With its head.
constexpr std::size_t packed_size(std::size_t data_bytes) {
  return sizeof(PackedHead) + packed_aligned(data_bytes);
}

}  // namespace warpseed::records
