// How long the exact matches of competing alignments are: what seeding and mate rescue need not look for.
#pragma once

#include <cstdint>

#include "core/host_device.hpp"

namespace warpseed::align {

/// The length of matches that matter in a read of `length` bases that aligns with `edits` edits. One with fewer
/// than `rival_edits` more has an exact match of that length: its edits part the read into at most edits + rival_edits
/// matches.
WS_HD inline std::uint32_t settled_length(std::uint32_t length, std::uint32_t edits, std::uint32_t rival_edits) {
  return length / (edits + rival_edits);
}

}  // namespace warpseed::align
