#include "index/index_needs.hpp"

#include <algorithm>

#include "core/huge_pages.hpp"
#include "suffix/divsufsort_path.hpp"
#include "suffix/parts_needs.hpp"

namespace warpseed::index {

namespace {

std::uint64_t width_of(const text::GenomeView& genome) {
  return fits_narrow(genome.text.size) ? 4 : 8;
}

std::uint64_t kmer_bytes(const text::GenomeView& genome) {
  const std::uint32_t k = kmer_length_for(genome.text.size);
  return k == 0 ? 0 : 2 * width_of(genome) << 2 * k;
}

/// Maximum size of the finished index in host memory.
std::uint64_t index_bytes(const text::GenomeView& genome, std::uint32_t sample_step) {
  const std::uint64_t size = genome.text.size;
  return size / 2 + kmer_bytes(genome) + size / sample_step * width_of(genome);
}

/// What FmBuilder takes while rows come: the index but for the k-mer table, and the pages with separators.
std::uint64_t builder_bytes(const text::GenomeView& genome, std::uint32_t sample_step) {
  const std::uint64_t separators = std::min(genome.text.size / 8, genome.segment_count() * huge_page_bytes);
  return index_bytes(genome, sample_step) - kmer_bytes(genome) + separators;
}

suffix::PartsNeeds needs_of_parts(const text::GenomeView& genome, const Backend& backend) {
  return suffix::parts_needs(genome.text.size, width_of(genome), backend.threads);
}

std::uint64_t host_bytes(const text::GenomeView& genome, const Backend& backend, const BuildOptions& options) {
  const std::uint64_t size = genome.text.size, index = index_bytes(genome, options.sample_step);
  if (backend.kind == BackendKind::cuda) return index;
  if (options.sorting.sorter == SuffixSorter::divsufsort) {
    const std::uint64_t sorting = suffix::divsufsort_bytes(genome, width_of(genome));
    return std::max(sorting, sorting - size + size / 8 + index);  // the byte text is freed before the index grows
  }
  const std::uint64_t sorting = needs_of_parts(genome, backend).within(bytes_for_sorting(genome, backend, options));
  return builder_bytes(genome, options.sample_step) + std::max(sorting, kmer_bytes(genome));
}

}  // namespace

std::uint64_t bytes_for_sorting(const text::GenomeView& genome, const Backend& backend, const BuildOptions& options) {
  const std::uint64_t builder = builder_bytes(genome, options.sample_step);
  const std::uint64_t allowed = suffix::memory_allowed(options.sorting.host_bytes, genome.text.size / 4);
  const std::uint64_t bytes = allowed - std::min(allowed, builder);
  needs_of_parts(genome, backend).within(bytes);
  return bytes;
}

IndexNeeds index_needs(const text::GenomeView& genome, const Backend& backend, const BuildOptions& options) {
  return {host_bytes(genome, backend, options), genome.text.size / 4 + index_bytes(genome, options.sample_step)};
}

}  // namespace warpseed::index
