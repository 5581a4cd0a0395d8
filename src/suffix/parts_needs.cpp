#include "suffix/parts_needs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/memory.hpp"
#include "suffix/bucket_sort.hpp"
#include "suffix/genome_keys.hpp"
#include "suffix/key_buckets.hpp"
#include "warpseed/error.hpp"

namespace warpseed::suffix {

PartsNeeds parts_needs(std::uint64_t symbols, std::uint64_t position_width, int threads) {
  constexpr std::uint64_t least_share = 32;  // of the text in a part; more begins alike in no genome
  const std::uint64_t word = 2 * position_width, slots = GenomeKeys::cover.slots(symbols);
  const std::uint64_t ranks = slots * position_width;
  const auto buffers = [&](std::uint64_t sorted) {
    const std::uint64_t scratch = word * std::min(sorted, large_bucket_words(sorted));
    return key_buckets_bytes(sorted) + static_cast<std::uint64_t>(threads) * (scatter_lines_bytes + scratch);
  };
  PartsNeeds needs;
  needs.other_bytes = ranks + buffers(symbols);
  const std::uint64_t cover = slots * word + ranks + buffers(slots);
  needs.best_bytes = std::max(cover, needs.other_bytes + usual_part(symbols) * word);
  needs.least_bytes = std::max(cover, needs.other_bytes + symbols / least_share * word);
  return needs;
}

std::uint64_t PartsNeeds::within(std::uint64_t allowed_bytes) const {
  if (allowed_bytes >= least_bytes) return std::min(allowed_bytes, best_bytes);
  constexpr double gib = 1024.0 * 1024.0 * 1024.0;
  throw IoError(
      fmt::format("sorting the suffixes takes at least {:.2f} GiB of memory, {:.2f} GiB are left for it; "
                  "allow more with --memory, or use a machine with more memory or a smaller reference",
                  static_cast<double>(least_bytes) / gib, static_cast<double>(allowed_bytes) / gib));
}

std::uint64_t memory_allowed(std::uint64_t limit_bytes, std::uint64_t taken_bytes) {
  return memory_allowed(limit_bytes, taken_bytes, available_memory_bytes());
}

std::uint64_t memory_allowed(std::uint64_t limit_bytes, std::uint64_t taken_bytes, std::uint64_t available_bytes) {
  if (limit_bytes == 0) return available_bytes;
  constexpr std::uint64_t program_bytes = 32 << 20;  // code, threads, buffers of files
  return std::min(available_bytes, limit_bytes - std::min(limit_bytes, taken_bytes + program_bytes));
}

}  // namespace warpseed::suffix
