#include "reads/read_range.hpp"

#include <memory>

namespace warpseed::reads {

ReadRange part_of(std::uint64_t reads, std::uint64_t number, std::uint64_t count) {
  const std::uint64_t each = reads / count, rest = reads % count;  // without a product that overflows
  const auto begin = [&](std::uint64_t part) { return part * each + part * rest / count; };
  return {begin(number - 1), begin(number)};
}

std::uint64_t count_reads(const std::vector<Lane>& lanes) {
  constexpr std::uint64_t reads_at_a_time = 32768;
  const std::unique_ptr<ReadSource> source = open_lanes(lanes);
  ReadBatch batch;
  std::uint64_t count = 0;
  while (source->next(batch, reads_at_a_time)) count += batch.size();
  return count;
}

}  // namespace warpseed::reads
