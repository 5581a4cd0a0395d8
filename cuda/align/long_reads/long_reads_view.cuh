// The long reads of a group, and their anchors, as kernels see them.
#pragma once

#include <cstdint>
#include <type_traits>

#include "align/long_reads/anchor.hpp"
#include "align/packed_strand.hpp"
#include "core/module_namespaces.hpp"
#include "core/view.hpp"

namespace warpseed::align::cuda {

/// Owns nothing.
struct LongReadsView {
  const std::uint64_t* words;       // see packed_strand()
  View<std::uint64_t> offsets;      // [reads] where the words of each begin
  View<std::uint32_t> lengths;      // [reads]
  View<std::uint64_t> part_begins;  // [reads + 1] parts of both strands

  __host__ __device__ std::uint64_t count() const { return lengths.size; }
  __device__ PackedStrand strand(std::uint64_t read, bool reverse) const {
    return packed_strand(words + offsets[read], lengths[read], reverse);
  }
};

/// The number of a read's strand in its group.
__host__ __device__ inline std::uint32_t strand_number(std::uint64_t read, bool reverse) {
  return static_cast<std::uint32_t>(2 * read + (reverse ? 1 : 0));
}

/// An anchor with the number of its strand.
struct StrandAnchor {
  Anchor anchor;
  std::uint32_t strand;
  std::uint32_t unused = 0;  // see Anchor::unused
};
static_assert(std::has_unique_object_representations_v<StrandAnchor>, "no padding");

}  // namespace warpseed::align::cuda
