// The memory that sorting in parts takes.
#pragma once

#include <cstdint>

namespace warpseed::suffix {

/// Memory of sort_in_parts(), besides the text with its separators and what the sink takes.
struct PartsNeeds {
  std::uint64_t least_bytes = 0;  // in many parts
  std::uint64_t best_bytes = 0;   // in usual parts; a part is larger only if more suffixes begin alike
  std::uint64_t other_bytes = 0;  // of these, all but the words of a part

  /// The share of `allowed_bytes` that sorting takes in general.
  /// Throws IoError if the bytes are fewer than the least.
  std::uint64_t within(std::uint64_t allowed_bytes) const;
};

/// Suffixes of a usual part, of three or four: the scan of the text for a further part costs less time than the memory
/// that it saves, which the system has to clear.
constexpr std::uint64_t usual_part(std::uint64_t symbols) {
  return symbols / 8 * 3 + 1;
}

/// position_width: bytes of a position, 4 or 8.
PartsNeeds parts_needs(std::uint64_t symbols, std::uint64_t position_width, int threads);

/// Memory that a job may still take: all that is available, or what `limit_bytes` (0: no limit) leaves next to
/// `taken_bytes`. available_bytes: of this machine if not given.
std::uint64_t memory_allowed(std::uint64_t limit_bytes, std::uint64_t taken_bytes);
std::uint64_t memory_allowed(std::uint64_t limit_bytes, std::uint64_t taken_bytes, std::uint64_t available_bytes);

}  // namespace warpseed::suffix
