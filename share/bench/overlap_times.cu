#include "overlap_times.hpp"

#include <memory>

#include "core/event.cuh"
#include "core/launch.cuh"
#include "core/transfer.cuh"
#include "simulate/synthetic_core.hpp"
#include "suffix/lcp.cuh"
#include "suffix/rmq.cuh"
#include "suffix/sort_rows.cuh"

namespace warpseed::cuda {

namespace {

using Range = suffix::IndexRange<std::uint32_t>;
using Rmq = suffix::RmqView<std::uint32_t>;

/// Device time in seconds of the work queued by `work`.
template <class Work>
double seconds_of(const Stream& stream, const Work& work) {
  const Event begin(stream);
  work();
  const Event end(stream);
  return end.seconds_since(begin);
}

enum class Kind { lcp_like, random, mountain };

__global__ void make_values_kernel(Kind kind, std::uint64_t size, std::uint32_t* values) {
  const std::uint64_t i = thread_index();
  if (i >= size) return;
  const std::uint64_t random = simulate::synthetic::mix_bits(i);
  switch (kind) {
    case Kind::lcp_like: {
      const bool is_long = random % 16 == 0;
      values[i] = 10 + leading_zeros(random | 1) + (is_long ? static_cast<std::uint32_t>(random >> 40) % 300 : 0);
      break;
    }
    case Kind::random: values[i] = static_cast<std::uint32_t>(random); break;
    case Kind::mountain: values[i] = static_cast<std::uint32_t>(min(i, size - i)); break;
  }
}

__global__ void make_ranges_kernel(std::uint64_t size, std::uint64_t longest, View<Range> ranges, Range* out) {
  const std::uint64_t i = thread_index();
  if (i >= ranges.size) return;
  const std::uint64_t a = simulate::synthetic::mix_bits(2 * i + 1) % size;
  const std::uint64_t other = simulate::synthetic::mix_bits(2 * i + (1ULL << 40));
  const std::uint64_t b = longest == 0 ? other % size : min(size - 1, a + other % longest);
  out[i] = {static_cast<std::uint32_t>(min(a, b)), static_cast<std::uint32_t>(max(a, b) + 1)};
}

/// An RmqView that counts its accesses.
struct CountingRmq {
  using Value = std::uint32_t;
  static constexpr Value largest = Rmq::largest;

  Rmq rmq;
  unsigned* nodes;  // [rmq_top] by level, then the table's entries

  __device__ suffix::RmqNode<Value> node(unsigned level, std::uint64_t number) const {
    ++nodes[level];
    return rmq.node(level, number);
  }
  __device__ suffix::RmqEntry<Value> entry(std::uint64_t index) const {
    nodes[suffix::rmq_top] += 1;
    return rmq.entry(index);
  }
  __device__ suffix::RmqEntry<Value> entry(std::uint64_t first, std::uint64_t last) const {
    nodes[suffix::rmq_top] += 2;
    return rmq.entry(first, last);
  }
};

__global__ void count_kernel(Rmq rmq, View<Range> ranges, unsigned long long* nodes) {
  const std::uint64_t i = thread_index();
  if (i >= ranges.size) return;
  unsigned own[suffix::rmq_top + 1] = {};
  suffix::range_minimum(CountingRmq{rmq, own}, ranges[i].begin, ranges[i].end);
  for (unsigned level = 0; level <= suffix::rmq_top; ++level) atomicAdd(&nodes[level], own[level]);
}

/// One block per range reads every value of it.
__global__ void scan_kernel(const std::uint32_t* values, View<Range> ranges, const std::uint32_t* minima,
                            const std::uint32_t* places, unsigned long long* wrong) {
  __shared__ unsigned long long smallest;
  if (threadIdx.x == 0) smallest = ~0ULL;
  __syncthreads();
  const Range range = ranges[blockIdx.x];
  unsigned long long own = ~0ULL;
  for (std::uint64_t i = std::uint64_t{range.begin} + threadIdx.x; i < range.end; i += blockDim.x) {
    own = min(own, (static_cast<unsigned long long>(values[i]) << 32) | i);
  }
  atomicMin(&smallest, own);
  __syncthreads();
  const bool right = smallest >> 32 == minima[blockIdx.x] && (smallest & 0xFFFFFFFF) == places[blockIdx.x];
  if (threadIdx.x == 0 && !right) atomicAdd(wrong, 1ULL);
}

Kind kind_of(const std::string& name) {
  if (name == "lcp-like") return Kind::lcp_like;
  if (name == "random") return Kind::random;
  if (name == "mountain") return Kind::mountain;
  throw InputError("unknown values \"" + name + "\" (choose lcp-like, random or mountain)");
}

void count_and_check(const MinimaJob& job, const Buffer<std::uint32_t>& values, const suffix::cuda::DeviceRmq& rmq,
                     View<Range> ranges, const std::uint32_t* minima, const std::uint32_t* places, const Stream& stream,
                     MinimaTimes& times) {
  Buffer<unsigned long long> counts(suffix::rmq_top + 2, stream);
  counts.fill_zero();
  const std::uint64_t sample = std::min<std::uint64_t>(ranges.size, 1 << 20);
  launch("count_kernel", count_kernel, sample, stream, rmq.view(), ranges.part(0, sample), counts.data());
  times.checked = std::min<std::uint64_t>(ranges.size, job.longest == 0 ? 2000 : 100'000);
  scan_kernel<<<static_cast<unsigned>(times.checked), 1024, 0, stream.handle()>>>(values.data(), ranges, minima, places,
                                                                                  counts.data() + suffix::rmq_top + 1);
  check_launch("scan_kernel", stream.handle());
  std::vector<unsigned long long> found(counts.size());
  counts.download(found);
  stream.wait();
  for (unsigned level = 0; level < suffix::rmq_top; ++level) {
    times.nodes.push_back(static_cast<double>(found[level]) / static_cast<double>(sample));
  }
  times.table_entries = static_cast<double>(found[suffix::rmq_top]) / static_cast<double>(sample);
  times.wrong = found[suffix::rmq_top + 1];
}

}  // namespace

LcpTimes time_lcp(const text::GenomeView& genome, const Backend& backend, int repeats, bool keep) {
  const Stream stream(backend);
  const suffix::cuda::DeviceText text(genome, stream, backend.threads);
  LcpTimes times;
  for (int run = 0; run < repeats; ++run) {
    Buffer<std::uint32_t> suffixes, lcp;
    times.sort.push_back(seconds_of(stream, [&] {
      suffix::cuda::sort_rows<std::uint32_t>(text, genome.segment_count(), {.keeps_rows = true}, TeamMember(stream), {},
                                             [&](Row, Buffer<std::uint32_t>& rows) { suffixes = std::move(rows); });
    }));
    std::vector<std::unique_ptr<Event>> events;
    std::vector<StageTime> stages;
    const auto mark = [&] { events.push_back(std::make_unique<Event>(stream)); };
    mark();
    lcp = suffix::cuda::lcp_array(text, suffixes, stream, [&](std::string_view stage) {
      mark();
      stages.push_back({std::string(stage), 0});
    });
    mark();
    times.lcp.push_back(events.back()->seconds_since(*events.front()));
    for (std::size_t i = 0; i < stages.size(); ++i) stages[i].seconds = events[i + 1]->seconds_since(*events[i]);
    times.stages.push_back(stages);
    if (keep && run + 1 == repeats) {
      stream.wait();
      times.suffixes.resize(suffixes.size()), times.array.resize(lcp.size());
      download(times.suffixes.data(), suffixes.data(), 4 * suffixes.size(), stream.pool(), backend.threads);
      download(times.array.data(), lcp.data(), 4 * lcp.size(), stream.pool(), backend.threads);
    }
  }
  return times;
}

MinimaTimes time_minima(const MinimaJob& job, const Backend& backend) {
  const Stream stream(backend);
  Buffer<std::uint32_t> values(job.entries, stream), minima(job.queries, stream), places(job.queries, stream);
  Buffer<Range> ranges(job.queries, stream);
  launch("make_values_kernel", make_values_kernel, job.entries, stream, kind_of(job.values), job.entries,
         values.data());
  launch("make_ranges_kernel", make_ranges_kernel, job.queries, stream, job.entries, job.longest, ranges.view(),
         ranges.data());
  MinimaTimes times;
  suffix::cuda::DeviceRmq rmq;
  for (int run = 0; run < job.repeats; ++run) {
    rmq = {};
    times.build.push_back(seconds_of(stream, [&] { rmq = suffix::cuda::DeviceRmq(values, stream); }));
    times.minima.push_back(
        seconds_of(stream, [&] { suffix::cuda::range_minima(rmq, ranges.view(), minima.data(), stream); }));
    times.leftmosts.push_back(
        seconds_of(stream, [&] { suffix::cuda::leftmost_minima(rmq, ranges.view(), places.data(), stream); }));
  }
  times.extra_bytes = rmq.extra_bytes();
  count_and_check(job, values, rmq, ranges.view(), minima.data(), places.data(), stream, times);
  return times;
}

}  // namespace warpseed::cuda
