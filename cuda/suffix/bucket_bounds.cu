#include "suffix/bucket_bounds.cuh"

#include "core/launch.cuh"

namespace warpseed::suffix::cuda {

namespace {

/// One thread per bound.
__global__ void bucket_bounds_kernel(View<std::uint32_t> targets, unsigned bucket_bits, std::uint64_t first,
                                     std::uint64_t step, std::uint64_t bounds, std::uint64_t* out) {
  const std::uint64_t i = thread_index();
  if (i >= bounds) return;
  std::uint64_t begin = 0, end = targets.size;
  while (begin < end) {
    const std::uint64_t middle = begin + (end - begin) / 2;
    if (targets[middle] >> bucket_bits < first + i * step)
      begin = middle + 1;
    else
      end = middle;
  }
  out[i] = begin;
}

}  // namespace

Buffer<std::uint64_t> bucket_bounds(View<std::uint32_t> targets, unsigned bucket_bits, std::uint64_t first,
                                    std::uint64_t step, std::uint64_t bounds, const Stream& stream) {
  Buffer<std::uint64_t> found(bounds, stream);
  launch("bucket_bounds_kernel", bucket_bounds_kernel, bounds, stream, targets, bucket_bits, first, step, bounds,
         found.data());
  return found;
}

}  // namespace warpseed::suffix::cuda
