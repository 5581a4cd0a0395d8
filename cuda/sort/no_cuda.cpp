// cuda/sort/entry.hpp in a build without CUDA: every function throws BackendError with the reason.
#include "core/entry.hpp"
#include "sort/entry.hpp"
#include "text/genome_core.hpp"
#include "warpseed/error.hpp"

namespace warpseed::sort::cuda {

using warpseed::cuda::why_unavailable;

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

template <class Value>
void segmented_sort(DeviceSpan<std::uint32_t>, DeviceSpan<Value>, DeviceSpan<const std::uint64_t>, const Backend&) {
  throw BackendError(why_unavailable());
}
template void segmented_sort(DeviceSpan<std::uint32_t>, DeviceSpan<NoValue>, DeviceSpan<const std::uint64_t>,
                             const Backend&);
template void segmented_sort(DeviceSpan<std::uint32_t>, DeviceSpan<std::uint32_t>, DeviceSpan<const std::uint64_t>,
                             const Backend&);
template void segmented_sort(DeviceSpan<std::uint32_t>, DeviceSpan<std::uint64_t>, DeviceSpan<const std::uint64_t>,
                             const Backend&);

std::optional<std::vector<std::uint32_t>> key_order(std::span<const std::uint64_t>, const Backend&) {
  throw BackendError(why_unavailable());
}

template <class Text>
StringOrder sort_strings(const Strings<Text>&, const Backend&) {
  throw BackendError(why_unavailable());
}
template StringOrder sort_strings(const Strings<ByteView>&, const Backend&);
template StringOrder sort_strings(const Strings<text::PackedView>&, const Backend&);

}  // namespace warpseed::sort::cuda
