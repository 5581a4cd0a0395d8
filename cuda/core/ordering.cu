#include "core/ordering.cuh"

#include <utility>

#include "core/launch.cuh"
#include "core/primitives.cuh"

namespace warpseed::cuda {

namespace {

__global__ void fill_order_kernel(View<std::uint32_t> values, std::uint64_t* keys, std::uint32_t* numbers) {
  const std::uint64_t i = thread_index();
  if (i < values.size) keys[i] = ~values[i], numbers[i] = static_cast<std::uint32_t>(i);
}

__global__ void widen_kernel(View<std::uint32_t> from, std::uint64_t* to) {
  const std::uint64_t i = thread_index();
  if (i <= from.size) to[i] = i < from.size ? from[i] : 0;
}

}  // namespace

Buffer<std::uint64_t> exclusive_sums(View<std::uint32_t> counts, const Stream& stream) {
  Buffer<std::uint64_t> sums(counts.size + 1, stream);
  launch("widen_kernel", widen_kernel, sums.size(), stream, counts, sums.data());
  exclusive_sum(sums, stream);
  return sums;
}

Buffer<std::uint32_t> largest_first(const Buffer<std::uint32_t>& values, const Stream& stream) {
  SortablePairs<std::uint32_t> pairs(values.size(), stream);
  launch("fill_order_kernel", fill_order_kernel, values.size(), stream, values.view(), pairs.keys.data(),
         pairs.values.data());
  pairs.sort(values.size(), 0, 32, stream);
  return std::move(pairs.values);
}

}  // namespace warpseed::cuda
