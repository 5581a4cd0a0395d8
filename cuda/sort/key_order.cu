// The CUDA entry of sort/key_order.hpp.
#include "sort/key_order.hpp"

#include <bit>

#include "core/launch.cuh"
#include "core/primitives.cuh"
#include "sort/entry.hpp"

namespace warpseed::sort::cuda {

namespace {

__global__ void number_kernel(std::uint32_t* values, std::uint64_t count) {
  const std::uint64_t i = thread_index();
  if (i < count) values[i] = static_cast<std::uint32_t>(i);
}

}  // namespace

std::optional<std::vector<std::uint32_t>> key_order(std::span<const std::uint64_t> keys, const Backend& backend) try {
  constexpr std::uint64_t bytes_per_key = 24, spare = 4;  // others may be at work on the device, and want some of it
  const Stream stream(backend, {0, Waiting::block});      // other threads, which write, need the CPU
  if (spare * bytes_per_key * keys.size() > stream.pool().free_bytes()) return std::nullopt;
  std::uint64_t all_bits = 0;
  for (const std::uint64_t key : keys) all_bits |= key;
  SortablePairs<std::uint32_t> pairs(keys.size(), stream);
  pairs.keys.upload(keys);
  launch("number_kernel", number_kernel, keys.size(), stream, pairs.values.data(), keys.size());
  pairs.sort(keys.size(), 0, static_cast<unsigned>(std::bit_width(all_bits)), stream);
  std::vector<std::uint32_t> order(keys.size());
  pairs.values.read(order);
  return order;
} catch (const OutOfDeviceMemory&) {  // others have taken it meanwhile
  return std::nullopt;
}

}  // namespace warpseed::sort::cuda
