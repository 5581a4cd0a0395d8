#include "core/checksum_core.hpp"
#include "core/deflate_blocks.cuh"

namespace warpseed::deflate::cuda {

namespace {

constexpr unsigned threads_per_block = 256;

/// A thread takes consecutive bytes of a block; what it gets is shifted by the bytes that follow, and all are added.
__global__ void __launch_bounds__(threads_per_block) take_checksums_kernel(BatchView batch, std::uint32_t* checksums) {
  static_assert(threads_per_block == 256, "a thread makes a step of the table");
  __shared__ std::uint32_t steps[threads_per_block], sum;
  steps[threadIdx.x] = checksum::byte_step(threadIdx.x);
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  const Block block = batch.blocks[blockIdx.x];
  const std::uint32_t part = (block.size + threads_per_block - 1) / threads_per_block;
  const std::uint32_t begin = min(threadIdx.x * part, block.size), end = min(begin + part, block.size);
  const std::uint8_t* const bytes = batch.bytes.data + block.begin;
  std::uint32_t value = threadIdx.x == 0 ? ~0U : 0;
  for (std::uint32_t i = begin; i < end; ++i) value = value >> 8 ^ steps[(value ^ bytes[i]) & 0xFF];
  if (value != 0) atomicXor(&sum, checksum::product(checksum::shift_by(block.size - end), value));
  __syncthreads();
  if (threadIdx.x == 0) checksums[blockIdx.x] = ~sum;
}

}  // namespace

void take_checksums(const BatchView& batch, std::uint32_t* checksums, const Stream& stream) {
  if (batch.blocks.size == 0) return;
  take_checksums_kernel<<<static_cast<unsigned>(batch.blocks.size), threads_per_block, 0, stream.handle()>>>(batch,
                                                                                                             checksums);
  check_launch("take_checksums_kernel", stream.handle());
}

}  // namespace warpseed::deflate::cuda
