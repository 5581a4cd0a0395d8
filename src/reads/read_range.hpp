// Parts of the reads of a run.
#pragma once

#include <cstdint>
#include <vector>

#include "reads/lanes.hpp"

namespace warpseed::reads {

/// The reads [first, end) of an input, numbered from 0 across its lanes. A pair belongs to the range in which it begins.
struct ReadRange {
  static constexpr std::uint64_t no_end = std::uint64_t{1} << 62;  // more reads than any input has

  std::uint64_t first = 0, end = no_end;
};

/// Part `number`, from 1, of `count` parts of so many reads: together they are all, and their sizes differ by one at most.
ReadRange part_of(std::uint64_t reads, std::uint64_t number, std::uint64_t count);

/// Reads all lanes to their end and counts the reads. Throws as open_lanes() and ReadSource::next().
std::uint64_t count_reads(const std::vector<Lane>& lanes);

}  // namespace warpseed::reads
