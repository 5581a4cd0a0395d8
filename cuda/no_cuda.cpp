// The CUDA side of a build without CUDA: every entry says why it cannot.
#include "align/pipeline/batch_aligner.hpp"
#include "core/error.hpp"
#include "entry.hpp"

namespace warpseed::cuda {

int device_count() noexcept {
  return 0;
}

std::string why_unavailable() {
  return "this build has no CUDA support (configure with -DWS_CUDA=ON)";
}

std::uint64_t peak_device_bytes(int) {
  return 0;
}

std::string describe_device(int) {
  throw BackendError(why_unavailable());
}

void synthetic_bases(const SyntheticGenome&, std::uint64_t, std::span<char>, const Backend&) {
  throw BackendError(why_unavailable());
}

void simulated_pairs(const GenomeView&, const ReadSimulation&, std::uint64_t, std::span<char>, const Backend&) {
  throw BackendError(why_unavailable());
}

Genome synthetic_genome(const SyntheticGenome&, std::span<const std::uint64_t>, const Backend&) {
  throw BackendError(why_unavailable());
}

Genome pack_bases(std::span<const char>, std::span<const std::uint64_t>, const Backend&) {
  throw BackendError(why_unavailable());
}

template <class Pos>
std::vector<Pos> suffix_array(const GenomeView&, const Backend&, const SortOptions&) {
  throw BackendError(why_unavailable());
}
template std::vector<std::uint32_t> suffix_array(const GenomeView&, const Backend&, const SortOptions&);
template std::vector<std::uint64_t> suffix_array(const GenomeView&, const Backend&, const SortOptions&);

template <class Pos>
std::vector<Pos> suffix_array(std::span<const std::uint8_t>, const Backend&, const SortOptions&) {
  throw BackendError(why_unavailable());
}
template std::vector<std::uint32_t> suffix_array(std::span<const std::uint8_t>, const Backend&, const SortOptions&);
template std::vector<std::uint64_t> suffix_array(std::span<const std::uint8_t>, const Backend&, const SortOptions&);

std::vector<std::uint32_t> inverse_permutation(const std::vector<std::uint32_t>&, const Backend&) {
  throw BackendError(why_unavailable());
}

std::vector<std::uint32_t> lcp_array(const GenomeView&, const std::vector<std::uint32_t>&, const Backend&) {
  throw BackendError(why_unavailable());
}

std::vector<std::uint32_t> lcp_array(std::span<const std::uint8_t>, const std::vector<std::uint32_t>&, const Backend&) {
  throw BackendError(why_unavailable());
}

CompactLcp<std::uint32_t> compact_lcp_array(const GenomeView&, const std::vector<std::uint32_t>&, const Backend&) {
  throw BackendError(why_unavailable());
}

void range_minima(std::span<const std::uint32_t>, std::span<const IndexRange<std::uint32_t>>, std::span<std::uint32_t>,
                  const Backend&) {
  throw BackendError(why_unavailable());
}

void leftmost_minima(std::span<const std::uint32_t>, std::span<const IndexRange<std::uint32_t>>,
                     std::span<std::uint32_t>, const Backend&) {
  throw BackendError(why_unavailable());
}

std::unique_ptr<CommonExtension<std::uint32_t>> make_common_extension(const GenomeView&, const Backend&) {
  throw BackendError(why_unavailable());
}

FmIndex build_fm_index(const GenomeView&, const Backend&, const IndexOptions&, const ProgressCallback&) {
  throw BackendError(why_unavailable());
}

template <class Value>
void segmented_sort(std::span<std::uint32_t>, std::span<Value>, std::span<const std::uint64_t>, const Backend&) {
  throw BackendError(why_unavailable());
}
template void segmented_sort(std::span<std::uint32_t>, std::span<NoValue>, std::span<const std::uint64_t>,
                             const Backend&);
template void segmented_sort(std::span<std::uint32_t>, std::span<std::uint32_t>, std::span<const std::uint64_t>,
                             const Backend&);
template void segmented_sort(std::span<std::uint32_t>, std::span<std::uint64_t>, std::span<const std::uint64_t>,
                             const Backend&);

std::optional<std::vector<std::uint32_t>> key_order(std::span<const std::uint64_t>, const Backend&) {
  throw BackendError(why_unavailable());
}

std::unique_ptr<Searcher> make_searcher(const FmView&, const Backend&) {
  throw BackendError(why_unavailable());
}

std::unique_ptr<BatchAligner> make_batch_aligner(const FmView&, const GenomeView&, const AlignOptions&, const Backend&,
                                                 const AlignerLimits&) {
  throw BackendError(why_unavailable());
}

std::unique_ptr<MatchFinder> make_match_finder(const SequenceText&, const MatchOptions&, const Backend&) {
  throw BackendError(why_unavailable());
}

template <class Text>
StringOrder sort_strings(const Strings<Text>&, const Backend&) {
  throw BackendError(why_unavailable());
}
template StringOrder sort_strings(const Strings<ByteView>&, const Backend&);
template StringOrder sort_strings(const Strings<PackedView>&, const Backend&);

}  // namespace warpseed::cuda
