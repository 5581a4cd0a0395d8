// How much text a batch of single reads may have.
#pragma once

#include <algorithm>
#include <cstdint>

namespace warpseed::reads {

/// A batch ends with the read that reaches most_bytes of text (names, bases and qualities), or with which it has
/// enough_bytes and least_reads to most_reads reads.
struct TextLimits {
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  std::uint64_t most_bytes = none;
  std::uint64_t enough_bytes = none;
  std::uint64_t least_reads = 0;
  std::uint64_t most_reads = none;

  bool reached_by(std::uint64_t reads, std::uint64_t bytes) const {
    return bytes >= most_bytes || (bytes >= enough_bytes && reads >= least_reads && reads <= most_reads);
  }

  /// The number of reads of equal length in a batch; bytes_per_read: of text, at least 1.
  std::uint64_t reads_within(std::uint64_t bytes_per_read) const {
    const auto reads_of = [&](std::uint64_t bytes) { return bytes == none ? none : bytes / bytes_per_read + 1; };
    const std::uint64_t most = reads_of(most_bytes), enough = std::max(reads_of(enough_bytes), least_reads);
    return enough <= most_reads ? std::min(enough, most) : most;
  }
};

}  // namespace warpseed::reads
