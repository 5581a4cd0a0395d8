// Construction: sorting the suffixes, then the index from their order.
#include "index/fm_index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>

#include "core/memory.hpp"
#include "index/entry.hpp"
#include "index/fm_builder.hpp"
#include "index/index_format.hpp"
#include "index/index_needs.hpp"
#include "suffix/sort_in_parts.hpp"
#include "warpseed/error.hpp"

namespace warpseed::index {

namespace {

using Report = std::function<void(std::string_view stage, std::uint64_t done)>;

/// The array is whole in memory.
template <class Pos>
FmIndex build_by_divsufsort(const text::GenomeView& genome, const Backend& backend, const BuildOptions& options,
                            const Report& report) {
  const std::vector<Pos> suffixes = suffix::suffix_array<Pos>(genome, backend, options.sorting);
  report("sorting suffixes", genome.text.size);
  report("building the FM-index", 0);
  return fm_index_from(genome, suffixes, options.sample_step, backend.threads);
}

/// Rows go into the index as they come.
template <class Pos>
FmIndex build_in_parts(const text::GenomeView& genome, const Backend& backend, const BuildOptions& options,
                       const Report& report) {
  const std::uint64_t bytes = bytes_for_sorting(genome, backend, options);
  FmBuilder builder(genome, options.sample_step);
  suffix::sort_in_parts<Pos>(genome, builder.separators().view(), backend.threads, bytes,
                             [&](const suffix::SortedRows<Pos>& rows) { builder.add(rows); });
  report("sorting suffixes", genome.text.size);
  report("building the FM-index", 0);
  return builder.finish(backend.threads);
}

template <class Pos>
FmIndex build_on_cpu(const text::GenomeView& genome, const Backend& backend, const BuildOptions& options,
                     const ProgressCallback& progress) {
  const Report report = [&](std::string_view stage, std::uint64_t done) {
    if (progress) progress({stage, "bases", done, genome.text.size});
  };
  report("sorting suffixes", 0);
  const bool by_divsufsort = options.sorting.sorter == SuffixSorter::divsufsort;
  FmIndex index = by_divsufsort ? build_by_divsufsort<Pos>(genome, backend, options, report)
                                : build_in_parts<Pos>(genome, backend, options, report);
  report("building the FM-index", genome.text.size);
  return index;
}

}  // namespace

FmIndex build_fm_index(const text::GenomeView& genome, const Backend& backend, const BuildOptions& options,
                       const ProgressCallback& progress) {
  if (!std::has_single_bit(options.sample_step) || options.sample_step > 256) {
    throw InputError(
        fmt::format("a suffix array sample every {} rows is not possible; choose a power of two "
                    "from 1 to 256",
                    options.sample_step));
  }
  const std::uint64_t size = genome.text.size, genome_size = genome.contig_begins[genome.contig_count()];
  if (genome_size > size + format::most_unknown(size)) {
    throw InputError(fmt::format("the reference has {} N and only {} other bases; leave out sequences of N",
                                 genome_size - (size - genome.segment_count()), size - genome.segment_count()));
  }
  suffix::choose_sorter(suffix::to_string(options.sorting.sorter), backend);  // rejects a sorter that the backend lacks
  require_memory(index_needs(genome, backend, options).host_bytes, "building the index",
                 "use a machine with more memory, a larger sample step or a smaller reference");
  if (size == 0) return fm_index_from<std::uint32_t>(genome, {}, options.sample_step, backend.threads);
  if (backend.kind == BackendKind::cpu) {
    return fits_narrow(size) ? build_on_cpu<std::uint32_t>(genome, backend, options, progress)
                             : build_on_cpu<std::uint64_t>(genome, backend, options, progress);
  }
  return cuda::build_fm_index(genome, backend, options, progress);
}

}  // namespace warpseed::index
