#include "index/index_needs.hpp"

#include <algorithm>

#include "core/huge_pages.hpp"
#include "core/memory.hpp"
#include "index/index_check.hpp"
#include "index/mapped_file.hpp"
#include "suffix/divsufsort_path.hpp"
#include "suffix/parts_needs.hpp"

namespace warpseed::index {

namespace {

TextSize size_of(const text::GenomeView& genome) {
  return {genome.text.size, genome.segment_count()};
}

std::uint64_t width_of(const TextSize& text) {
  return fits_narrow(text.symbols) ? 4 : 8;
}

std::uint64_t kmer_bytes(const TextSize& text) {
  const std::uint32_t k = kmer_length_for(text.symbols);
  return k == 0 ? 0 : 2 * width_of(text) << 2 * k;
}

/// Maximum size of the finished index in host memory.
std::uint64_t index_bytes(const TextSize& text, std::uint32_t sample_step) {
  return text.symbols / 2 + kmer_bytes(text) + text.symbols / sample_step * width_of(text);
}

/// What FmBuilder takes while rows come: the index but for the k-mer table, and the pages with separators.
std::uint64_t builder_bytes(const TextSize& text, std::uint32_t sample_step) {
  const std::uint64_t separators = std::min(text.symbols / 8, text.segments * huge_page_bytes);
  return index_bytes(text, sample_step) - kmer_bytes(text) + separators;
}

suffix::PartsNeeds needs_of_parts(const TextSize& text, const Backend& backend) {
  return suffix::parts_needs(text.symbols, width_of(text), backend.threads);
}

std::uint64_t sorting_bytes(const TextSize& text, const Backend& backend, const BuildOptions& options,
                            std::uint64_t available_bytes) {
  const std::uint64_t builder = builder_bytes(text, options.sample_step);
  const std::uint64_t allowed = suffix::memory_allowed(options.sorting.host_bytes, text.symbols / 4, available_bytes);
  const std::uint64_t bytes = allowed - std::min(allowed, builder);
  needs_of_parts(text, backend).within(bytes);
  return bytes;
}

std::uint64_t host_bytes(const TextSize& text, const Backend& backend, const BuildOptions& options,
                         std::uint64_t available_bytes) {
  const std::uint64_t size = text.symbols, index = index_bytes(text, options.sample_step);
  if (backend.kind == BackendKind::cuda) return index;
  if (options.sorting.sorter == SuffixSorter::divsufsort) {
    const std::uint64_t sorting = suffix::divsufsort_bytes(text.symbols, text.segments, width_of(text));
    return std::max(sorting, sorting - size + size / 8 + index);  // the byte text is freed before the index grows
  }
  const std::uint64_t sorting =
      needs_of_parts(text, backend).within(sorting_bytes(text, backend, options, available_bytes));
  return builder_bytes(text, options.sample_step) + std::max(sorting, kmer_bytes(text));
}

}  // namespace

std::uint64_t bytes_for_sorting(const text::GenomeView& genome, const Backend& backend, const BuildOptions& options) {
  return sorting_bytes(size_of(genome), backend, options, available_memory_bytes());
}

IndexNeeds index_needs(const text::GenomeView& genome, const Backend& backend, const BuildOptions& options) {
  return index_needs(size_of(genome), backend, options, available_memory_bytes());
}

IndexNeeds index_needs(const TextSize& text, const Backend& backend, const BuildOptions& options,
                       std::uint64_t available_bytes) {
  return {host_bytes(text, backend, options, available_bytes),
          text.symbols / 4 + index_bytes(text, options.sample_step)};
}

IndexFileSize index_file_size(const std::string& path) {
  const MappedFile file(path, {.whole = false});
  const format::Front front = check_front(path, file.bytes());
  return {front.header.file_bytes, 4 * front.entries[format::text].bytes};
}

}  // namespace warpseed::index
