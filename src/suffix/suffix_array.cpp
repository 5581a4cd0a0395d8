#include "suffix/suffix_array.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "core/error.hpp"
#include "entry.hpp"
#include "suffix/divsufsort_path.hpp"

namespace warpseed {

namespace {

SuffixSorter sorter_on(const Backend& backend) {
  return backend.kind == BackendKind::cuda ? SuffixSorter::prefix_doubling : SuffixSorter::divsufsort;
}

SuffixSorter resolve(SuffixSorter wanted, const Backend& backend) {
  const SuffixSorter here = sorter_on(backend);
  if (wanted == SuffixSorter::automatic || wanted == here) return here;
  throw BackendError(fmt::format("backend {} has no sorter \"{}\"; choose automatic or {}", to_string(backend),
                                 to_string(wanted), to_string(here)));
}

}  // namespace

std::string_view to_string(SuffixSorter sorter) {
  switch (sorter) {
    case SuffixSorter::automatic: return "automatic";
    case SuffixSorter::prefix_doubling: return "prefix-doubling";
    case SuffixSorter::divsufsort: return "divsufsort";
  }
  throw std::invalid_argument("to_string: a sorter without a name");
}

SuffixSorter choose_sorter(std::string_view wanted, const Backend& backend) {
  for (const SuffixSorter sorter : {SuffixSorter::automatic, SuffixSorter::prefix_doubling, SuffixSorter::divsufsort}) {
    if (wanted == to_string(sorter)) return resolve(sorter, backend);
  }
  throw InputError(fmt::format("unknown sorter \"{}\" (choose automatic, prefix-doubling or divsufsort)", wanted));
}

template <class Pos>
std::vector<Pos> suffix_array(const GenomeView& genome, const Backend& backend, SuffixSorter sorter) {
  if (sizeof(Pos) == 4 && !fits_narrow(genome.text.size)) {
    throw std::invalid_argument("suffix_array: 32-bit positions cannot number so long a text");
  }
  const SuffixSorter chosen = resolve(sorter, backend);
  if (genome.text.size == 0) return {};
  if (chosen == SuffixSorter::divsufsort) return sort_by_divsufsort<Pos>(genome, backend.threads);
  return cuda::suffix_array<Pos>(genome, backend);
}

template std::vector<std::uint32_t> suffix_array(const GenomeView&, const Backend&, SuffixSorter);
template std::vector<std::uint64_t> suffix_array(const GenomeView&, const Backend&, SuffixSorter);

}  // namespace warpseed
