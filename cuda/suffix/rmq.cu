#include "suffix/rmq.cuh"

#include <algorithm>
#include <stdexcept>

#include "core/lanes.cuh"
#include "core/launch.cuh"
#include "core/transfer.cuh"
#include "core/types.hpp"
#include "suffix/entry.hpp"

namespace warpseed::suffix::cuda {

namespace {

using Rmq = RmqView<std::uint32_t>;
using Range = IndexRange<std::uint32_t>;

/// Four neighbours of an array, padded with the largest number past its end.
__device__ std::uint32_t minimum_of_four(const View<std::uint32_t>& below, std::uint64_t first) {
  if (first + 4 <= below.size) {
    const uint4 four = *reinterpret_cast<const uint4*>(below.data + first);
    return min(min(four.x, four.y), min(four.z, four.w));
  }
  std::uint32_t smallest = Rmq::largest;
  for (std::uint64_t i = first; i < below.size; ++i) smallest = min(smallest, below[i]);
  return smallest;
}

/// The two levels above an array: [whole nodes of eight] each. A thread takes four entries, so that a warp's loads are
/// contiguous; two threads share a node, sixteen a node of the next level.
__global__ void two_levels_kernel(View<std::uint32_t> below, std::uint64_t node_count, std::uint32_t* nodes,
                                  std::uint64_t upper_count, std::uint32_t* upper) {
  const std::uint64_t i = thread_index();
  std::uint32_t smallest = minimum_of_four(below, 4 * i);
  smallest = min(smallest, __shfl_xor_sync(all_lanes, smallest, 1));
  if (i % 2 == 0 && i / 2 < node_count) nodes[i / 2] = smallest;
  for (unsigned apart = 2; apart < 16; apart *= 2) {
    smallest = min(smallest, __shfl_xor_sync(all_lanes, smallest, apart));
  }
  if (i % 16 == 0 && i / 16 < upper_count) upper[i / 16] = smallest;
}

__global__ void table_kernel(Rmq rmq, const RmqEntry<std::uint32_t>* above, unsigned row,
                             RmqEntry<std::uint32_t>* entries) {
  const std::uint64_t i = thread_index();
  if (i < rmq.table_width) entries[i] = rmq_table_entry(rmq, above, row, i);
}

__global__ void minima_kernel(Rmq rmq, View<Range> ranges, std::uint32_t* results) {
  const std::uint64_t i = thread_index();
  if (i < ranges.size) results[i] = range_minimum(rmq, ranges[i].begin, ranges[i].end);
}

__global__ void leftmost_kernel(Rmq rmq, View<Range> ranges, std::uint32_t* results) {
  const std::uint64_t i = thread_index();
  if (i < ranges.size) {
    results[i] = leftmost_minimum(rmq, ranges[i].begin, ranges[i].end);
  }
}

static_assert(rmq_levels % 2 == 0, "levels are made two at a time");

constexpr std::uint64_t batch_queries = 64 << 20;  // 12 bytes each on the device

/// Builds from values on the host, and queries in batches. ask(rmq, ranges, results): queues a batch.
template <class Ask>
void ask_on_device(std::span<const std::uint32_t> values, std::span<const Range> ranges,
                   std::span<std::uint32_t> results, const Backend& backend, Ask ask) {
  const Stream stream(backend);
  const std::uint64_t batch = std::min<std::uint64_t>(batch_queries, ranges.size());
  stream.pool().require(values.size_bytes() * 8 / 7 + 12 * batch, "asking for minima");
  Buffer<std::uint32_t> on_device(values.size(), stream), found(batch, stream);
  Buffer<Range> asked(batch, stream);
  stream.wait();  // upload() has streams of its own
  upload(on_device.data(), values.data(), values.size_bytes(), stream.pool(), backend.threads);
  const DeviceRmq rmq(on_device, stream);
  for (std::uint64_t begin = 0; begin < ranges.size(); begin += batch) {
    const std::uint64_t count = std::min(batch, ranges.size() - begin);
    upload(asked.data(), ranges.data() + begin, count * sizeof(Range), stream.pool(), backend.threads);
    ask(rmq, View<Range>(asked.data(), count), found.data(), stream);
    stream.wait();
    download(results.data() + begin, found.data(), count * sizeof(std::uint32_t), stream.pool(), backend.threads);
  }
}

}  // namespace

DeviceRmq::DeviceRmq(const Buffer<std::uint32_t>& values, const Stream& stream) : values_(values.view()) {
  if (!fits_narrow(values_.size)) throw std::invalid_argument("DeviceRmq: more values than 32 bits can number");
  for (unsigned level = 1; level <= rmq_levels; ++level) {
    levels_[level - 1] = Buffer<std::uint32_t>((rmq_level_size(values_.size, level) + 7) / 8 * 8, stream);
  }
  for (unsigned level = 1; level < rmq_levels; level += 2) {
    const View<std::uint32_t> below = level == 1 ? values_ : levels_[level - 2].view();
    Buffer<std::uint32_t>&nodes = levels_[level - 1], &upper = levels_[level];
    launch("two_levels_kernel", two_levels_kernel, 16 * upper.size(), stream, below, nodes.size(), nodes.data(),
           upper.size(), upper.data());
  }
  const std::uint64_t width = rmq_level_size(values_.size, rmq_top);
  table_ = Buffer<RmqEntry<std::uint32_t>>(rmq_table_rows(width) * width, stream);
  for (unsigned row = 0; row < rmq_table_rows(width); ++row) {
    RmqEntry<std::uint32_t>* entries = table_.data() + row * width;
    launch("table_kernel", table_kernel, width, stream, view(), row == 0 ? nullptr : entries - width, row, entries);
  }
}

RmqView<std::uint32_t> DeviceRmq::view() const {
  Rmq view;
  view.levels[0] = values_.data;
  for (unsigned level = 1; level < rmq_top; ++level) view.levels[level] = levels_[level - 1].data();
  view.table = table_.data();
  view.size = values_.size;
  view.table_width = rmq_level_size(values_.size, rmq_top);
  return view;
}

std::uint64_t DeviceRmq::extra_bytes() const {
  std::uint64_t bytes = table_.size() * sizeof(RmqEntry<std::uint32_t>);
  for (const auto& entries : levels_) bytes += entries.size() * sizeof(std::uint32_t);
  return bytes;
}

void range_minima(const DeviceRmq& rmq, View<Range> ranges, std::uint32_t* results, const Stream& stream) {
  launch("minima_kernel", minima_kernel, ranges.size, stream, rmq.view(), ranges, results);
}

void leftmost_minima(const DeviceRmq& rmq, View<Range> ranges, std::uint32_t* results, const Stream& stream) {
  launch("leftmost_kernel", leftmost_kernel, ranges.size, stream, rmq.view(), ranges, results);
}

void range_minima(std::span<const std::uint32_t> values, std::span<const Range> ranges,
                  std::span<std::uint32_t> results, const Backend& backend) {
  ask_on_device(values, ranges, results, backend, [](const auto&... batch) { range_minima(batch...); });
}

void leftmost_minima(std::span<const std::uint32_t> values, std::span<const Range> ranges,
                     std::span<std::uint32_t> results, const Backend& backend) {
  ask_on_device(values, ranges, results, backend, [](const auto&... batch) { leftmost_minima(batch...); });
}

}  // namespace warpseed::suffix::cuda
