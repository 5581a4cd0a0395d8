// Random writes cost a memory transaction each, even nearby ones. The pairs (target, value) are therefore first grouped
// by the high bits of their targets with a radix sort. As the targets are a permutation, the position and size of each
// bucket are known without counting. Each bucket is ordered in shared memory and stored with contiguous writes.
#include "suffix/inverse.cuh"

#include <algorithm>
#include <bit>

#include "core/launch.cuh"
#include "core/primitives.cuh"

namespace warpseed::suffix::cuda {

namespace {

constexpr unsigned scatter_threads = 1024;  // one block per multiprocessor for pieces of 128 KB
constexpr unsigned max_bucket_bits = 16;    // two blocks share a bucket of this size
constexpr unsigned shared_bits = 15;        // 128 KB: what one block holds
constexpr unsigned radix_bits = 8;          // per pass of CUB's radix sort

__global__ void ranks_kernel(sort::cuda::GroupsView groups, std::uint32_t* ranks) {
  const std::uint64_t row = thread_index();
  if (row < groups.count) ranks[row] = groups.head_of(row);
}

/// Calls visit(i, target, value) for the pairs [begin, end); begin is a multiple of 4. Loads four pairs at once, so
/// that one block per multiprocessor keeps enough loads in flight.
template <class Visit>
__device__ void for_each_pair(const std::uint32_t* targets, const std::uint32_t* values, std::uint64_t begin,
                              std::uint64_t end, Visit visit) {
  const std::uint64_t whole_end = end - end % 4;
  for (std::uint64_t i = begin + 4 * threadIdx.x; i < whole_end; i += 4 * scatter_threads) {
    const uint4 target = *reinterpret_cast<const uint4*>(targets + i),
                value = *reinterpret_cast<const uint4*>(values + i);
    visit(target.x, value.x), visit(target.y, value.y), visit(target.z, value.z), visit(target.w, value.w);
  }
  const std::uint64_t rest = whole_end + threadIdx.x;
  if (rest < end) visit(targets[rest], values[rest]);
}

/// One block per piece of 2^piece_bits targets: it reads all pairs of the bucket and keeps those of its piece.
__global__ void __launch_bounds__(scatter_threads)
    scatter_kernel(View<std::uint32_t> targets, const std::uint32_t* values, unsigned bucket_bits, unsigned piece_bits,
                   std::uint32_t* out) {
  extern __shared__ std::uint32_t piece[];
  const std::uint64_t piece_begin = std::uint64_t{blockIdx.x} << piece_bits;
  const std::uint32_t piece_size = 1U << piece_bits;
  const std::uint64_t bucket_begin = piece_begin >> bucket_bits << bucket_bits;
  const std::uint64_t bucket_end = min(bucket_begin + (std::uint64_t{1} << bucket_bits), targets.size);
  for_each_pair(targets.data, values, bucket_begin, bucket_end, [&](std::uint32_t target, std::uint32_t value) {
    const std::uint32_t at = target - static_cast<std::uint32_t>(piece_begin);
    if (at < piece_size) piece[at] = value;
  });
  __syncthreads();
  const std::uint64_t count = min(std::uint64_t{piece_size}, targets.size - piece_begin);
  for (std::uint64_t i = threadIdx.x; i < count; i += scatter_threads) out[piece_begin + i] = piece[i];
}

/// Targets with their values.
struct Pairs {
  Buffer<std::uint32_t> targets, values;
  Pairs(std::uint64_t size, const Stream& stream) : targets(size, stream), values(size, stream) {}
};

/// One stable radix pass over [begin_bit, end_bit) of the targets.
void radix_pass(const std::uint32_t* targets, const std::uint32_t* values, Pairs& out, unsigned begin_bit,
                unsigned end_bit, const Stream& stream) {
  with_temporary_storage("partitioning targets", stream, [&](void* storage, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(storage, bytes, targets, out.targets.data(), values, out.values.data(),
                                           out.targets.size(), static_cast<int>(begin_bit), static_cast<int>(end_bit),
                                           stream.handle());
  });
}

/// The low bits of a target that stay unsorted; the others take whole radix passes.
unsigned bucket_bits_for(std::uint64_t count) {
  const unsigned bits = static_cast<unsigned>(std::bit_width(count - 1));
  if (bits <= max_bucket_bits) return std::max(bits, 1U);
  const unsigned passes = (bits - max_bucket_bits + radix_bits - 1) / radix_bits;
  constexpr unsigned least = 12;  // a piece of 16 KB still occupies its block's threads
  return std::max(bits - radix_bits * passes, least);
}

}  // namespace

Buffer<std::uint32_t> inverse(const Buffer<std::uint32_t>& suffixes, const sort::cuda::GroupsView& groups,
                              const Stream& stream) {
  const std::uint64_t count = suffixes.size();
  if (count == 0) return {};
  const unsigned bits = static_cast<unsigned>(std::bit_width(count - 1));
  const unsigned bucket_bits = bucket_bits_for(count), piece_bits = std::min(bucket_bits, shared_bits);
  Pairs pairs(0, stream);
  pairs.values = Buffer<std::uint32_t>(count, stream);
  launch("ranks_kernel", ranks_kernel, count, stream, groups, pairs.values.data());
  const std::uint32_t* targets = suffixes.data();
  for (unsigned begin = bucket_bits; begin < bits; begin += radix_bits) {
    Pairs next(count, stream);
    radix_pass(targets, pairs.values.data(), next, begin, std::min(begin + radix_bits, bits), stream);
    pairs = std::move(next);
    targets = pairs.targets.data();
  }
  Buffer<std::uint32_t> ranks(count, stream);
  const std::size_t shared_bytes = sizeof(std::uint32_t) << piece_bits;
  check(
      cudaFuncSetAttribute(scatter_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes)),
      "asking for shared memory");
  const auto pieces = static_cast<unsigned>(((count - 1) >> piece_bits) + 1);
  scatter_kernel<<<pieces, scatter_threads, shared_bytes, stream.handle()>>>({targets, count}, pairs.values.data(),
                                                                             bucket_bits, piece_bits, ranks.data());
  check_launch("scatter_kernel", stream.handle());
  return ranks;
}

Buffer<std::uint32_t> inverse(const Buffer<std::uint32_t>& suffixes, const Stream& stream) {
  sort::cuda::Groups rows(suffixes.size(), stream);
  check(cudaMemsetAsync(rows.heads(), 0xFF, rows.head_threads() / 8, stream.handle()), "marking rows");
  rows.sum_up(stream);
  return inverse(suffixes, rows.view(), stream);
}

}  // namespace warpseed::suffix::cuda
