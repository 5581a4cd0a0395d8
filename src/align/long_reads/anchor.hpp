// An exact match of a long read with the genome, and chains of them.
#pragma once

#include <cstdint>

#include "core/host_device.hpp"
#include "core/types.hpp"

namespace warpseed::align {

/// Read positions are in the orientation that matches the forward strand.
struct Anchor {
  GenomePos genome_begin = 0;
  std::uint32_t query_begin = 0;
  std::uint32_t length = 0;
  std::uint32_t contig = 0;
  bool reverse = false;
  std::uint8_t unused[3] = {};  // the padding, so that nothing is copied that was never written

  WS_HD std::int64_t diagonal() const {
    return static_cast<std::int64_t>(genome_begin) - static_cast<std::int64_t>(query_begin);
  }
  WS_HD GenomePos genome_end() const { return genome_begin + length; }
  WS_HD std::uint32_t query_end() const { return query_begin + length; }
};

/// Collinear anchors, ascending in read and genome.
struct AnchorChain {
  std::uint32_t first = 0, count = 0;  // anchors
  std::int32_t score = 0;              // matching bases less the cost of gaps
};

}  // namespace warpseed::align
