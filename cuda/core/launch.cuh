// A launch with one thread per item, as nearly all kernels need it.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "core/buffer.cuh"

namespace warpseed::cuda {

constexpr unsigned threads_per_block = 256;  // eight warps: full occupancy with up to 32 registers per thread

/// The index of this thread in its launch.
__device__ inline std::uint64_t thread_index() {
  return std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}

/// Launches at least `count` threads, in whole warps; none for a count of 0.
template <class... Parameters, class... Arguments>
void launch(std::string_view name, void (*kernel)(Parameters...), std::uint64_t count, const Stream& stream,
            Arguments&&... arguments) {
  if (count == 0) return;
  const auto blocks = static_cast<unsigned>((count + threads_per_block - 1) / threads_per_block);
  kernel<<<blocks, threads_per_block, 0, stream.handle()>>>(std::forward<Arguments>(arguments)...);
  check_launch(name, stream.handle());
}

}  // namespace warpseed::cuda
