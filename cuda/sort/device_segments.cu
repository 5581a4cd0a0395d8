// The segmented sort of a caller's arrays on the device, in place.
#include <array>
#include <stdexcept>

#include "core/launch.cuh"
#include "sort/entry.hpp"
#include "sort/segmented_sort.cuh"

namespace warpseed::sort::cuda {

namespace {

enum Fault : std::uint32_t { descends = 1, too_long = 2 };

__global__ void check_offsets_kernel(View<std::uint64_t> offsets, std::uint32_t* faults) {
  const std::uint64_t i = thread_index();
  if (i + 1 >= offsets.size) return;
  if (offsets[i + 1] < offsets[i])
    atomicOr(faults, descends);
  else if (offsets[i + 1] - offsets[i] > UINT32_MAX)
    atomicOr(faults, too_long);
}

/// Where the segments begin and end; throws as the sort of host data does.
std::array<std::uint64_t, 2> checked_ends(View<std::uint64_t> offsets, std::uint64_t keys, const Stream& stream) {
  Buffer<std::uint32_t> faults(1, stream);
  faults.fill_zero();
  launch("check_offsets_kernel", check_offsets_kernel, offsets.size, stream, offsets, faults.data());
  const std::uint32_t found = faults.value_at(0);
  if (found & descends) throw std::invalid_argument("segmented_sort: offsets must not descend");
  if (found & too_long) throw std::invalid_argument("segmented_sort: a segment has at most 2^32 - 1 keys");
  std::array<std::uint64_t, 2> ends{};
  check(cudaMemcpyAsync(&ends[0], offsets.data, 8, cudaMemcpyDeviceToHost, stream.handle()), "reading an offset");
  check(cudaMemcpyAsync(&ends[1], offsets.data + offsets.size - 1, 8, cudaMemcpyDeviceToHost, stream.handle()),
        "reading an offset");
  stream.wait();
  if (ends[1] > keys) throw std::invalid_argument("segmented_sort: a segment ends past the last key");
  return ends;
}

template <class T>
void copy_back(T* to, const Buffer<T>& from, std::array<std::uint64_t, 2> range, const Stream& stream) {
  check(cudaMemcpyAsync(to + range[0], from.data() + range[0], (range[1] - range[0]) * sizeof(T),
                        cudaMemcpyDeviceToDevice, stream.handle()),
        "copying on the device");
}

}  // namespace

template <class Value>
void segmented_sort(DeviceSpan<std::uint32_t> keys, DeviceSpan<Value> values, DeviceSpan<const std::uint64_t> offsets,
                    const Backend& backend) {
  const Stream stream(backend);
  const View<std::uint64_t> borders(offsets.data, offsets.size);
  const std::array<std::uint64_t, 2> ends = checked_ends(borders, keys.size, stream);
  if (ends[0] == ends[1]) return;
  stream.pool().require(keys.size * (sizeof(std::uint32_t) + 1) + values.size * sizeof(Value), "sorting segments");
  Buffer<std::uint32_t> sorted_keys(keys.size, stream);
  Buffer<Value> sorted(values.size, stream);
  const PairArrays<Value> pairs{keys.data, values.data, sorted_keys.data(), sorted.data()};
  segmented_sort(pairs, borders, keys.size, stream);
  copy_back(keys.data, sorted_keys, ends, stream);
  if (values.size > 0) copy_back(values.data, sorted, ends, stream);
  stream.wait();
}

template void segmented_sort(DeviceSpan<std::uint32_t>, DeviceSpan<NoValue>, DeviceSpan<const std::uint64_t>,
                             const Backend&);
template void segmented_sort(DeviceSpan<std::uint32_t>, DeviceSpan<std::uint32_t>, DeviceSpan<const std::uint64_t>,
                             const Backend&);
template void segmented_sort(DeviceSpan<std::uint32_t>, DeviceSpan<std::uint64_t>, DeviceSpan<const std::uint64_t>,
                             const Backend&);

}  // namespace warpseed::sort::cuda
