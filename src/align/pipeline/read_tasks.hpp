// How many reads of a batch one task takes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "reads/read_batch.hpp"

namespace warpseed::align {

/// Small enough to balance the threads' load, large enough that scheduling costs nothing; fewer where reads are long.
/// Even: mates stay together unless there are single reads among them.
inline std::size_t reads_per_task(const reads::ReadBatch& batch) {
  constexpr std::uint64_t most_reads = 256, most_bytes = 1 << 18;  // of names, bases and qualities
  if (batch.text_bytes() == 0) return most_reads;
  const std::uint64_t reads = most_bytes * batch.size() / batch.text_bytes();
  return std::clamp<std::uint64_t>(reads / 2 * 2, 2, most_reads);
}

}  // namespace warpseed::align
