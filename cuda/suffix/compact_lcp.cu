// Compacts the LCP array on the device: one thread block per block of rows.
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>

#include "core/launch.cuh"
#include "core/primitives.cuh"
#include "core/transfer.cuh"
#include "suffix/entry.hpp"
#include "suffix/lcp.cuh"

namespace warpseed::suffix::cuda {

namespace {

using Parts = CompactLcpParts<std::uint32_t>;

constexpr unsigned block_threads = 1024;  // threads of a block; they process its rows in 64 steps

__device__ bool is_long(std::uint32_t length) {
  return length >= Parts::in_table;
}

/// The bytes of a block of rows, and its number of long rows.
__global__ void __launch_bounds__(block_threads)
    bytes_kernel(View<std::uint32_t> lcp, std::uint8_t* bytes, std::uint32_t* long_counts) {
  using Reduce = cub::BlockReduce<std::uint32_t, block_threads>;
  __shared__ typename Reduce::TempStorage storage;
  const std::uint64_t begin = blockIdx.x * Parts::block, end = min(begin + Parts::block, lcp.size);
  std::uint32_t count = 0;
  for (std::uint64_t row = begin + threadIdx.x; row < end; row += block_threads) {
    const std::uint32_t length = lcp[row];
    bytes[row] = static_cast<std::uint8_t>(is_long(length) ? Parts::in_table : length);
    count += is_long(length) ? 1 : 0;
  }
  count = Reduce(storage).Sum(count);
  if (threadIdx.x == 0) long_counts[blockIdx.x] = count;
}

/// The long rows of a block, in order, after the entries of the preceding blocks.
__global__ void __launch_bounds__(block_threads) long_rows_kernel(View<std::uint32_t> lcp, const std::uint32_t* begins,
                                                                  std::uint16_t* long_rows, std::uint32_t* lengths) {
  using Scan = cub::BlockScan<std::uint32_t, block_threads>;
  __shared__ typename Scan::TempStorage storage;
  const std::uint64_t first = blockIdx.x * Parts::block;
  const std::uint32_t end = begins[blockIdx.x + 1];
  for (std::uint32_t entry = begins[blockIdx.x], skip = threadIdx.x; entry < end; skip += block_threads) {
    const std::uint32_t length = first + skip < lcp.size ? lcp[first + skip] : 0;
    std::uint32_t before = 0, together = 0;
    Scan(storage).ExclusiveSum(is_long(length) ? 1U : 0U, before, together);
    if (is_long(length)) {
      long_rows[entry + before] = static_cast<std::uint16_t>(skip);
      lengths[entry + before] = length;
    }
    entry += together;  // at most 64 steps: by then all counted rows have been found
    __syncthreads();    // the scan's storage is used again
  }
}

Buffer<std::uint32_t> lcp_on_device(const text::GenomeView& genome, const std::vector<std::uint32_t>& suffixes,
                                    const Stream& stream, int threads) {
  const DeviceText text(genome, stream, threads);
  stream.pool().require(12 * text.size(), "making an LCP array");
  Buffer<std::uint32_t> rows(suffixes.size(), stream);
  stream.wait();  // upload() has streams of its own
  upload(rows.data(), suffixes.data(), suffixes.size() * sizeof(std::uint32_t), stream.pool(), threads);
  return lcp_array(text, rows, stream);
}

/// Downloads a vector; the stream has been waited for.
template <class T>
std::vector<T> downloaded(const Buffer<T>& values, const Stream& stream, int threads) {
  std::vector<T> host(values.size());
  download(host.data(), values.data(), values.size() * sizeof(T), stream.pool(), threads);
  return host;
}

}  // namespace

CompactLcp<std::uint32_t> compact_lcp_array(const text::GenomeView& genome, const std::vector<std::uint32_t>& suffixes,
                                            const Backend& backend) {
  const Stream stream(backend);
  const Buffer<std::uint32_t> lcp = lcp_on_device(genome, suffixes, stream, backend.threads);
  const auto blocks = static_cast<unsigned>((lcp.size() + Parts::block - 1) / Parts::block);
  Buffer<std::uint8_t> bytes(lcp.size(), stream);
  Buffer<std::uint32_t> begins(blocks + 1, stream);
  begins.fill_zero();
  bytes_kernel<<<blocks, block_threads, 0, stream.handle()>>>(lcp.view(), bytes.data(), begins.data());
  check_launch("bytes_kernel", stream.handle());
  exclusive_sum(begins, stream);
  const std::uint32_t entries = begins.value_at(blocks);
  Buffer<std::uint16_t> long_rows(entries, stream);
  Buffer<std::uint32_t> lengths(entries, stream);
  if (entries > 0) {
    long_rows_kernel<<<blocks, block_threads, 0, stream.handle()>>>(lcp.view(), begins.data(), long_rows.data(),
                                                                    lengths.data());
    check_launch("long_rows_kernel", stream.handle());
  }
  stream.wait();
  const int threads = backend.threads;
  return CompactLcp<std::uint32_t>({downloaded(bytes, stream, threads), downloaded(begins, stream, threads),
                                    downloaded(long_rows, stream, threads), downloaded(lengths, stream, threads)});
}

}  // namespace warpseed::suffix::cuda
