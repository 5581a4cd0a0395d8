#include "estimate/index_estimate.hpp"

#include <algorithm>
#include <limits>

#include "core/processors.hpp"
#include "estimate/content_size.hpp"
#include "estimate/costs.hpp"
#include "index/index_needs.hpp"
#include "text/fasta.hpp"

namespace warpseed::estimate {

namespace {

double index_seconds(double bases, const Backend& backend, SuffixSorter sorter) {
  if (backend.kind == BackendKind::cuda) return start_cuda + bases * index_a_base_cuda;
  if (sorter == SuffixSorter::divsufsort) return bases * index_a_base_divsufsort;
  const int threads = std::min(backend.threads, usable_processors());
  return bases * (index_a_base_unshared + (index_a_base - index_a_base_unshared) / threads);
}

std::uint64_t device_bytes(std::uint64_t symbols, const suffix::SortOptions& sorting) {
  const std::uint64_t wanted = device_context + device_sort_a_symbol * symbols;
  return sorting.device_bytes == 0 ? wanted : std::min(wanted, device_context + sorting.device_bytes);
}

}  // namespace

RunNeeds index_run_needs(std::span<const std::string> references, const Backend& backend,
                         const index::BuildOptions& options) {
  RunNeeds needs;
  for (const std::string& path : references) {
    const ContentSize size = content_size(path);
    needs.input_bytes += size.stored_bytes;
    needs.bases += size.bytes;
    if (size.estimated) needs.compressed.push_back(path);
  }
  const std::uint64_t bases = needs.bases;
  constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max() / 2;
  const std::uint64_t segments =
      std::max<std::uint64_t>(references.size(), bases >> 12);  // more only cost memory later
  const index::IndexNeeds index = index::index_needs({bases, segments}, backend, options, no_limit);
  const std::uint64_t block = std::min(bases, 4 * text::fasta_block_bytes);
  needs.memory_bytes = index.host_bytes + bases / 4 + block + program_bytes +
                       static_cast<std::uint64_t>(backend.threads) * thread_bytes / 4;
  needs.output_bytes = index.file_bytes;
  if (backend.kind == BackendKind::cuda) needs.device_memory_bytes = device_bytes(bases, options.sorting);
  needs.seconds = index_seconds(static_cast<double>(bases), backend, options.sorting.sorter);
  return needs;
}

}  // namespace warpseed::estimate
