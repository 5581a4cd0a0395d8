#include "suffix/suffix_array.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <stdexcept>

#include "core/parallel.hpp"
#include "suffix/divsufsort_path.hpp"
#include "suffix/entry.hpp"
#include "suffix/parts_needs.hpp"
#include "suffix/separator_map.hpp"
#include "suffix/sort_in_parts.hpp"
#include "suffix/suffix_check.hpp"
#include "warpseed/error.hpp"

namespace warpseed::suffix {

namespace {

constexpr std::array sorters = {SuffixSorter::automatic,
                                SuffixSorter::prefix_doubling,
                                SuffixSorter::skew,
                                SuffixSorter::skew_prefix_doubling,
                                SuffixSorter::difference_cover,
                                SuffixSorter::divsufsort};

SuffixSorter resolve(SuffixSorter wanted, const Backend& backend) {
  const bool on_cpu = backend.kind == BackendKind::cpu;
  if (wanted == SuffixSorter::automatic) return on_cpu ? SuffixSorter::difference_cover : SuffixSorter::automatic;
  const bool of_cpu = wanted == SuffixSorter::difference_cover || wanted == SuffixSorter::divsufsort;
  if (on_cpu == of_cpu) return wanted;
  throw BackendError(
      fmt::format("backend {} has no sorter \"{}\"; choose automatic{}", to_string(backend), to_string(wanted),
                  on_cpu ? ", difference-cover or divsufsort" : ", prefix-doubling, skew or skew-prefix-doubling"));
}

template <class Pos>
void require_width(std::uint64_t symbols) {
  if (sizeof(Pos) == 4 && !fits_narrow(symbols)) {
    throw std::invalid_argument("suffix_array: 32-bit positions cannot number so long a text");
  }
}

/// Returns the suffixes, checked if `verify` is set.
template <class Text, class Pos>
std::vector<Pos> verified(const Text& text, std::vector<Pos> suffixes, const SortOptions& options,
                          const Backend& backend) {
  if (!options.verify) return suffixes;
  const std::uint64_t row = first_wrong_row(text, suffixes, backend.threads);
  if (row == suffixes.size()) return suffixes;
  throw BackendError(fmt::format("row {} of the suffix array is wrong; please report this", row));
}

template <class Pos>
std::vector<Pos> sort_by_difference_cover(const text::GenomeView& genome, const SortOptions& options, int threads) {
  const std::uint64_t symbols = genome.text.size, output = symbols * sizeof(Pos) + symbols / 8;
  const std::uint64_t allowed = memory_allowed(options.host_bytes, symbols / 4);
  const std::uint64_t bytes = allowed - std::min(allowed, output);
  parts_needs(symbols, sizeof(Pos), threads).within(bytes);  // rejects too few
  std::vector<Pos> suffixes(genome.text.size);
  const SeparatorMap separators(genome);
  sort_in_parts<Pos>(genome, separators.view(), threads, bytes, [&](const SortedRows<Pos>& rows) {
    for (std::uint64_t i = 0; i < rows.count(); ++i) suffixes[rows.first + i] = rows.position(i);
  });
  return suffixes;
}

constexpr std::uint64_t rows_per_batch = 1 << 16;

/// Skips values that are not positions.
template <class Pos>
std::vector<Pos> invert_on_cpu(const std::vector<Pos>& suffixes, int threads) {
  std::vector<Pos> ranks(suffixes.size());
  for_blocks(threads, suffixes.size(), rows_per_batch, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t row = begin; row < end; ++row) {
      if (suffixes[row] >= suffixes.size()) continue;
      std::atomic_ref(ranks[suffixes[row]]).store(static_cast<Pos>(row), std::memory_order_relaxed);
    }
  });
  return ranks;
}

}  // namespace

std::string_view to_string(SuffixSorter sorter) {
  switch (sorter) {
    case SuffixSorter::automatic: return "automatic";
    case SuffixSorter::prefix_doubling: return "prefix-doubling";
    case SuffixSorter::skew: return "skew";
    case SuffixSorter::skew_prefix_doubling: return "skew-prefix-doubling";
    case SuffixSorter::difference_cover: return "difference-cover";
    case SuffixSorter::divsufsort: return "divsufsort";
  }
  throw std::invalid_argument("to_string: a sorter without a name");
}

SuffixSorter choose_sorter(std::string_view wanted, const Backend& backend) {
  for (const SuffixSorter sorter : sorters) {
    if (wanted == to_string(sorter)) return resolve(sorter, backend);
  }
  throw InputError(
      fmt::format("unknown sorter \"{}\" (choose automatic, prefix-doubling, skew, skew-prefix-doubling, "
                  "difference-cover or divsufsort)",
                  wanted));
}

template <class Pos>
std::vector<Pos> suffix_array(const text::GenomeView& genome, const Backend& backend, const SortOptions& options) {
  require_width<Pos>(genome.text.size);
  const SuffixSorter chosen = resolve(options.sorter, backend);
  if (genome.text.size == 0) return {};
  if (chosen == SuffixSorter::divsufsort) {
    return verified(genome, sort_by_divsufsort<Pos>(genome, backend.threads), options, backend);
  }
  if (chosen == SuffixSorter::difference_cover) {
    return verified(genome, sort_by_difference_cover<Pos>(genome, options, backend.threads), options, backend);
  }
  return cuda::suffix_array<Pos>(genome, backend, options);
}

template <class Pos>
std::vector<Pos> suffix_array(std::span<const std::uint8_t> bytes, const Backend& backend, const SortOptions& options) {
  require_width<Pos>(bytes.size());
  resolve(options.sorter, backend);  // rejects a sorter that the backend lacks
  if (bytes.empty()) return {};
  if (backend.kind == BackendKind::cpu) return verified(bytes, sort_by_divsufsort<Pos>(bytes), options, backend);
  return cuda::suffix_array<Pos>(bytes, backend, options);
}

DeviceArray<std::uint32_t> suffix_array(DeviceSpan<const std::uint8_t> bytes, const Backend& backend) {
  require_width<std::uint32_t>(bytes.size);
  if (bytes.size == 0) return {{}, 0, backend.device};
  return cuda::suffix_array(bytes, backend);
}

template <class Pos>
std::vector<Pos> inverse_suffix_array(const std::vector<Pos>& suffixes, const Backend& backend) {
  if (suffixes.empty()) return {};
  std::vector<Pos> ranks;
  if constexpr (sizeof(Pos) == 4) {
    if (backend.kind == BackendKind::cuda) ranks = cuda::inverse_permutation(suffixes, backend);
  }
  if (ranks.empty()) ranks = invert_on_cpu(suffixes, backend.threads);
  std::atomic<bool> right = true;
  for_blocks(backend.threads, suffixes.size(), rows_per_batch, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t row = begin; row < end; ++row) {
      if (suffixes[row] >= suffixes.size() || ranks[suffixes[row]] != row) right = false;
    }
  });
  if (!right) throw std::invalid_argument("inverse_suffix_array: not a permutation");
  return ranks;
}

template std::vector<std::uint32_t> suffix_array(const text::GenomeView&, const Backend&, const SortOptions&);
template std::vector<std::uint64_t> suffix_array(const text::GenomeView&, const Backend&, const SortOptions&);
template std::vector<std::uint32_t> suffix_array(std::span<const std::uint8_t>, const Backend&, const SortOptions&);
template std::vector<std::uint64_t> suffix_array(std::span<const std::uint8_t>, const Backend&, const SortOptions&);
template std::vector<std::uint32_t> inverse_suffix_array(const std::vector<std::uint32_t>&, const Backend&);
template std::vector<std::uint64_t> inverse_suffix_array(const std::vector<std::uint64_t>&, const Backend&);

}  // namespace warpseed::suffix
