#include "sort/segmented_sort.hpp"

#include <stdexcept>

#include "sort/entry.hpp"
#include "sort/segmented_sort_cpu.hpp"

namespace warpseed::sort {

namespace {

void check_offsets(std::uint64_t keys, std::span<const std::uint64_t> offsets) {
  for (std::size_t i = 1; i < offsets.size(); ++i) {
    if (offsets[i] < offsets[i - 1]) throw std::invalid_argument("segmented_sort: offsets must not descend");
    if (offsets[i] - offsets[i - 1] > UINT32_MAX) {
      throw std::invalid_argument("segmented_sort: a segment has at most 2^32 - 1 keys");
    }
  }
  if (!offsets.empty() && offsets.back() > keys) {
    throw std::invalid_argument("segmented_sort: a segment ends past the last key");
  }
}

template <class Value>
void sort_on(const Backend& backend, std::span<std::uint32_t> keys, std::span<Value> values,
             std::span<const std::uint64_t> offsets) {
  check_offsets(keys.size(), offsets);
  if (offsets.size() < 2 || offsets.front() == offsets.back()) return;
  switch (backend.kind) {
    case BackendKind::cpu: return sort_segments_on_cpu(keys, values, offsets, backend.threads);
    case BackendKind::cuda: return cuda::segmented_sort(keys, values, offsets, backend);
  }
  throw std::invalid_argument("segmented_sort: a backend kind without a case");
}

}  // namespace

template <class Value>
void segmented_sort(std::span<std::uint32_t> keys, std::span<Value> values, std::span<const std::uint64_t> offsets,
                    const Backend& backend) {
  if (values.size() != keys.size()) throw std::invalid_argument("segmented_sort: one value for each key");
  sort_on(backend, keys, values, offsets);
}

void segmented_sort(std::span<std::uint32_t> keys, std::span<const std::uint64_t> offsets, const Backend& backend) {
  sort_on(backend, keys, std::span<NoValue>(), offsets);
}

template <class Value>
void segmented_sort(DeviceSpan<std::uint32_t> keys, DeviceSpan<Value> values, DeviceSpan<const std::uint64_t> offsets,
                    const Backend& backend) {
  if (values.size != keys.size) throw std::invalid_argument("segmented_sort: one value for each key");
  if (offsets.size >= 2) cuda::segmented_sort(keys, values, offsets, backend);
}

void segmented_sort(DeviceSpan<std::uint32_t> keys, DeviceSpan<const std::uint64_t> offsets, const Backend& backend) {
  if (offsets.size >= 2) cuda::segmented_sort(keys, DeviceSpan<NoValue>(), offsets, backend);
}

template void segmented_sort(std::span<std::uint32_t>, std::span<std::uint32_t>, std::span<const std::uint64_t>,
                             const Backend&);
template void segmented_sort(std::span<std::uint32_t>, std::span<std::uint64_t>, std::span<const std::uint64_t>,
                             const Backend&);
template void segmented_sort(DeviceSpan<std::uint32_t>, DeviceSpan<std::uint32_t>, DeviceSpan<const std::uint64_t>,
                             const Backend&);
template void segmented_sort(DeviceSpan<std::uint32_t>, DeviceSpan<std::uint64_t>, DeviceSpan<const std::uint64_t>,
                             const Backend&);

}  // namespace warpseed::sort
