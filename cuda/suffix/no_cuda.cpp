// cuda/suffix/entry.hpp in a build without CUDA: every function throws BackendError with the reason.
#include "core/entry.hpp"
#include "suffix/entry.hpp"
#include "warpseed/error.hpp"

namespace warpseed::suffix::cuda {

using warpseed::cuda::why_unavailable;

template <class Pos>
std::vector<Pos> suffix_array(const text::GenomeView&, const Backend&, const SortOptions&) {
  throw BackendError(why_unavailable());
}
template std::vector<std::uint32_t> suffix_array(const text::GenomeView&, const Backend&, const SortOptions&);
template std::vector<std::uint64_t> suffix_array(const text::GenomeView&, const Backend&, const SortOptions&);

template <class Pos>
std::vector<Pos> suffix_array(std::span<const std::uint8_t>, const Backend&, const SortOptions&) {
  throw BackendError(why_unavailable());
}
template std::vector<std::uint32_t> suffix_array(std::span<const std::uint8_t>, const Backend&, const SortOptions&);
template std::vector<std::uint64_t> suffix_array(std::span<const std::uint8_t>, const Backend&, const SortOptions&);

std::vector<std::uint32_t> inverse_permutation(const std::vector<std::uint32_t>&, const Backend&) {
  throw BackendError(why_unavailable());
}

std::vector<std::uint32_t> lcp_array(const text::GenomeView&, const std::vector<std::uint32_t>&, const Backend&) {
  throw BackendError(why_unavailable());
}

std::vector<std::uint32_t> lcp_array(std::span<const std::uint8_t>, const std::vector<std::uint32_t>&, const Backend&) {
  throw BackendError(why_unavailable());
}

DeviceArray<std::uint32_t> suffix_array(DeviceSpan<const std::uint8_t>, const Backend&) {
  throw BackendError(why_unavailable());
}

DeviceArray<std::uint32_t> lcp_array(DeviceSpan<const std::uint8_t>, DeviceSpan<const std::uint32_t>, const Backend&) {
  throw BackendError(why_unavailable());
}

CompactLcp<std::uint32_t> compact_lcp_array(const text::GenomeView&, const std::vector<std::uint32_t>&,
                                            const Backend&) {
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

std::unique_ptr<CommonExtension<std::uint32_t>> make_common_extension(const text::GenomeView&, const Backend&) {
  throw BackendError(why_unavailable());
}

}  // namespace warpseed::suffix::cuda
