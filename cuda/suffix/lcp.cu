#include "suffix/lcp.cuh"

#include <algorithm>
#include <bit>
#include <cub/device/device_scan.cuh>
#include <stdexcept>

#include "core/lanes.cuh"
#include "core/launch.cuh"
#include "core/primitives.cuh"
#include "core/transfer.cuh"
#include "suffix/bounded_text.cuh"
#include "suffix/entry.hpp"
#include "suffix/lcp_core.hpp"

namespace warpseed::suffix::cuda {

namespace {

using Row32 = LcpRow<std::uint32_t>;

constexpr unsigned warp_steps = 64;       // that a warp compares of one row before it leaves the row to a block
constexpr unsigned block_threads = 1024;  // of a block that compares one row
constexpr unsigned rest_blocks = 264;     // two per multiprocessor

/// A text of bytes on the device with the interface that lcp_core.hpp needs. Its end is a unique symbol.
struct DeviceByteText {
  static constexpr unsigned depth = 14;  // symbols of 9 bits in two words; shorter symbols are limited to this, too

  DeviceTextView text;
  unsigned step;  // symbols in a word

  explicit DeviceByteText(const DeviceTextView& view) : text(view), step(64 / view.symbol_bits) {}

  __device__ SuffixHead head(TextPos at) const {
    const TextPos beyond = at + step < text.size ? at + step : text.size - 1;
    SuffixHead head = {text.window(at), text.window(beyond), depth, SuffixHead::nothing};
    if (at > 0) head.before = text.symbol(at - 1);
    return head;
  }

  __device__ unsigned shared(const SuffixHead& a, const SuffixHead& b) const {
    const unsigned first = min(leading_zeros(a.first ^ b.first) / text.symbol_bits, step);
    const unsigned same = first < step ? first : step + leading_zeros(a.second ^ b.second) / text.symbol_bits;
    return min(same, depth);
  }

  __device__ unsigned share_step(TextPos a, TextPos b) const {
    if (a >= text.size || b >= text.size) return 0;
    return min(leading_zeros(text.window(a) ^ text.window(b)) / text.symbol_bits, step);
  }
};

/// One thread per row; a head is computed once and passed to the thread of the next row.
template <class Text>
__global__ void compare_heads_kernel(Text text, View<std::uint32_t> suffixes, std::uint32_t* lcp) {
  const std::uint64_t row = thread_index();
  const unsigned lane = lane_id();
  const SuffixHead own = text.head(suffixes[min(row, suffixes.size - 1)]);
  SuffixHead previous;
  previous.first = __shfl_up_sync(all_lanes, own.first, 1), previous.second = __shfl_up_sync(all_lanes, own.second, 1);
  previous.limit = __shfl_up_sync(all_lanes, own.limit, 1), previous.before = __shfl_up_sync(all_lanes, own.before, 1);
  if (row >= suffixes.size) return;
  if (lane == 0 && row > 0) previous = text.head(suffixes[row - 1]);
  lcp[row] = row == 0 ? 0 : lcp_of_heads<std::uint32_t>(text, previous, own);
}

/// End of a row's common prefix in the text, stored at the position where the prefix begins.
struct Ends {
  std::uint32_t* at;
  __device__ void keep(std::uint32_t suffix, std::uint32_t length) const { at[suffix] = suffix + length; }
};

/// Rows left to blocks.
struct RowList {
  std::uint32_t* rows;
  std::uint32_t* count;
};

/// Number of symbols shared in one step of a warp beyond `known`, one word per thread; less than a full step if the
/// prefix ends there.
template <class Text>
__device__ unsigned warp_shared(const Text& text, TextPos a, TextPos b, std::uint64_t known) {
  const unsigned lane = lane_id();
  const std::uint64_t skip = known + lane * text.step;
  const unsigned same = text.share_step(a + skip, b + skip);
  const std::uint32_t ending = __ballot_sync(all_lanes, same < text.step);
  if (ending == 0) return warp_threads * text.step;
  const unsigned first = static_cast<unsigned>(__ffs(static_cast<int>(ending))) - 1;
  return first * text.step + __shfl_sync(all_lanes, same, first);
}

/// A warp compares the long rows among its 32, one after the other, up to its limit.
template <class Text>
__global__ void compare_long_kernel(Text text, View<std::uint32_t> suffixes, std::uint32_t* lcp, Ends ends,
                                    RowList rest) {
  const std::uint64_t row = thread_index();
  const unsigned lane = lane_id();
  const std::uint32_t length = row < suffixes.size ? lcp[row] : 0;
  std::uint32_t left = __ballot_sync(all_lanes, length == Row32::long_one);
  for (; left != 0; left &= left - 1) {
    const std::uint64_t own = row - lane + static_cast<unsigned>(__ffs(static_cast<int>(left))) - 1;
    const TextPos a = suffixes[own - 1], b = suffixes[own];
    std::uint64_t known = Text::depth;
    const unsigned whole = warp_threads * text.step;
    unsigned same = whole;
    for (unsigned step = 0; step < warp_steps && same == whole; ++step) known += same = warp_shared(text, a, b, known);
    if (lane != 0) continue;
    if (same == whole) {
      rest.rows[atomicAdd(rest.count, 1U)] = static_cast<std::uint32_t>(own);
    } else {
      lcp[own] = static_cast<std::uint32_t>(known);
      ends.keep(static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(known));
    }
  }
}

/// A block compares a row that a warp has left: four words per thread; the first difference counts.
template <class Text>
__global__ void __launch_bounds__(block_threads)
    compare_remaining_kernel(Text text, const std::uint32_t* suffixes, std::uint32_t* lcp, Ends ends, RowList rest) {
  constexpr unsigned words = 4;
  __shared__ unsigned first_end;
  for (std::uint32_t i = blockIdx.x; i < *rest.count; i += gridDim.x) {
    const std::uint32_t row = rest.rows[i];
    const TextPos a = suffixes[row - 1], b = suffixes[row];
    std::uint64_t known = Text::depth + std::uint64_t{warp_steps} * warp_threads * text.step;
    const unsigned whole = block_threads * words * text.step;
    for (unsigned same = whole; same == whole; known += same) {
      __syncthreads();  // wait until first_end of the last round has been read
      if (threadIdx.x == 0) first_end = whole;
      __syncthreads();
      for (unsigned word = 0; word < words; ++word) {
        const unsigned skip = (word * block_threads + threadIdx.x) * text.step;
        const unsigned here = text.share_step(a + known + skip, b + known + skip);
        if (here < text.step) atomicMin(&first_end, skip + here);
      }
      __syncthreads();
      same = first_end;
    }
    if (threadIdx.x == 0) {
      lcp[row] = static_cast<std::uint32_t>(known);
      ends.keep(static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(known));
    }
  }
}

__global__ void follow_kernel(View<std::uint32_t> suffixes, const std::uint32_t* ends, std::uint32_t* lcp) {
  const std::uint64_t row = thread_index();
  if (row < suffixes.size && lcp[row] == Row32::follows) lcp[row] = ends[suffixes[row]] - suffixes[row];
}

/// Maximum number of rows left to blocks: their lengths add up to at most 2 n log n.
std::uint64_t max_remaining_rows(std::uint64_t size, unsigned step) {
  const std::uint64_t total = 2 * size * static_cast<unsigned>(std::bit_width(size));
  return std::min(size, total / (warp_steps * warp_threads * step) + 1);
}

void running_maximum(Buffer<std::uint32_t>& ends, const Stream& stream) {
  with_temporary_storage("taking maxima", stream, [&](void* storage, std::size_t& bytes) {
    return cub::DeviceScan::InclusiveScan(storage, bytes, ends.data(), ends.data(), Larger{}, ends.size(),
                                          stream.handle());
  });
}

template <class Text>
Buffer<std::uint32_t> lcp_of(const Text& text, const Buffer<std::uint32_t>& suffixes, const Stream& stream,
                             const StageDone& done) {
  const std::uint64_t size = suffixes.size();
  Buffer<std::uint32_t> lcp(size, stream);
  launch("compare_heads_kernel", compare_heads_kernel<Text>, size, stream, text, suffixes.view(), lcp.data());
  say(done, "first bases");
  Buffer<std::uint32_t> ends(size, stream), remaining_rows(max_remaining_rows(size, text.step), stream),
      rest_count(1, stream);
  ends.fill_zero(), rest_count.fill_zero();
  const RowList rest = {remaining_rows.data(), rest_count.data()};
  launch("compare_long_kernel", compare_long_kernel<Text>, size, stream, text, suffixes.view(), lcp.data(),
         Ends{ends.data()}, rest);
  compare_remaining_kernel<<<rest_blocks, block_threads, 0, stream.handle()>>>(text, suffixes.data(), lcp.data(),
                                                                               Ends{ends.data()}, rest);
  check_launch("compare_rest_kernel", stream.handle());
  say(done, "long ones");
  running_maximum(ends, stream);
  launch("follow_kernel", follow_kernel, size, stream, suffixes.view(), ends.data(), lcp.data());
  say(done, "those that follow");
  return lcp;
}

/// For rows on the host; the device's array may have one more in front, the end of a text of bytes.
std::vector<std::uint32_t> lcp_of_host(const DeviceText& text, const std::vector<std::uint32_t>& suffixes,
                                       const Stream& stream, int threads) {
  stream.pool().require(12 * text.size(), "making an LCP array");
  const std::uint64_t in_front = text.size() - suffixes.size(), bytes = suffixes.size() * sizeof(std::uint32_t);
  Buffer<std::uint32_t> rows(text.size(), stream);
  const std::uint32_t end[] = {static_cast<std::uint32_t>(suffixes.size())};
  if (in_front > 0) rows.upload(end);
  stream.wait();  // upload() has streams of its own
  upload(rows.data() + in_front, suffixes.data(), bytes, stream.pool(), threads);
  const Buffer<std::uint32_t> lcp = lcp_array(text, rows, stream);
  std::vector<std::uint32_t> host(suffixes.size());
  stream.wait();
  download(host.data(), lcp.data() + in_front, bytes, stream.pool(), threads);
  return host;
}

}  // namespace

Buffer<std::uint32_t> lcp_array(const DeviceText& text, const Buffer<std::uint32_t>& suffixes, const Stream& stream,
                                const StageDone& done) {
  if (suffixes.size() != text.size()) throw std::invalid_argument("lcp_array: one suffix for every symbol");
  if (text.size() == 0) return {};
  if (!text.is_genome()) return lcp_of(DeviceByteText(text.view()), suffixes, stream, done);
  const BoundedText bounded(text, stream);
  return lcp_of(bounded.view(), suffixes, stream, done);
}

std::vector<std::uint32_t> lcp_array(const text::GenomeView& genome, const std::vector<std::uint32_t>& suffixes,
                                     const Backend& backend) {
  const Stream stream(backend);
  return lcp_of_host(DeviceText(genome, stream, backend.threads), suffixes, stream, backend.threads);
}

std::vector<std::uint32_t> lcp_array(std::span<const std::uint8_t> bytes, const std::vector<std::uint32_t>& suffixes,
                                     const Backend& backend) {
  const Stream stream(backend);
  return lcp_of_host(DeviceText(bytes, stream, backend.threads), suffixes, stream, backend.threads);
}

}  // namespace warpseed::suffix::cuda
