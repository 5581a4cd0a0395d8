#include "string_sort_runs.hpp"

#include <thrust/execution_policy.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>

#include <algorithm>
#include <functional>
#include <memory>

#include "core/event.cuh"
#include "core/launch.cuh"
#include "sort/string_sort.cuh"
#include "string_inputs.cuh"
#include "warpseed/error.hpp"

namespace warpseed::bench {

namespace {

using cuda::Buffer;
using cuda::Event;
using cuda::Stream;
using cuda::thread_index;

constexpr double copy_bytes_per_second = 4.29e12;  // measured on the H200

/// Allocates Thrust's temporary storage from the same pool as our buffers.
struct PoolAllocator {
  using value_type = char;
  const Stream* stream;
  char* allocate(std::ptrdiff_t bytes) {
    void* data = nullptr;
    cuda::check(
        cudaMallocFromPoolAsync(&data, static_cast<std::size_t>(bytes), stream->pool().handle(), stream->handle()),
        "allocating for thrust");
    return static_cast<char*>(data);
  }
  void deallocate(char* data, std::size_t) { cudaFreeAsync(data, stream->handle()); }
};

/// The minimum of data that a comparator needs.
template <class Text>
struct Places {
  Text text;
  const std::uint64_t* offsets;

  explicit Places(const sort::Strings<Text>& strings) : text(strings.text), offsets(strings.begins) {}
  __device__ sort::Span span(std::uint32_t i) const { return {offsets[i], offsets[i + 1] - offsets[i]}; }
};

template <class Text>
struct LessByComparing {
  Places<Text> places;
  __device__ bool operator()(std::uint32_t a, std::uint32_t b) const {
    return sort::part(places.text, places.span(a), places.span(b), 0).order < 0;
  }
};

struct PrefixAndNumber {
  std::uint64_t prefix;
  std::uint32_t number;
};

template <class Text>
struct LessByPrefix {
  Places<Text> places;
  __device__ bool operator()(const PrefixAndNumber& a, const PrefixAndNumber& b) const {
    if (a.prefix != b.prefix) return a.prefix < b.prefix;
    const sort::Span span_a = places.span(a.number), span_b = places.span(b.number);
    const bool whole = span_a.length >= sort::window_symbols<Text> && span_b.length >= sort::window_symbols<Text>;
    return sort::part(places.text, span_a, span_b, whole ? sort::window_symbols<Text> : 0).order < 0;
  }
};

template <class Text>
__global__ void prefixes_kernel(sort::Strings<Text> strings, PrefixAndNumber* items) {
  const std::uint64_t i = thread_index();
  if (i >= strings.count) return;
  items[i] = {sort::first_window(strings, i), static_cast<std::uint32_t>(i)};
}

__global__ void numbers_kernel(const PrefixAndNumber* items, std::uint64_t count, std::uint32_t* order) {
  const std::uint64_t i = thread_index();
  if (i < count) order[i] = items[i].number;
}

template <class Text>
Buffer<std::uint32_t> sort_by_comparing(const sort::Strings<Text>& strings, const Stream& stream) {
  Buffer<std::uint32_t> order(strings.count, stream);
  PoolAllocator pool{&stream};
  const auto policy = thrust::cuda::par_nosync(pool).on(stream.handle());
  thrust::sequence(policy, order.data(), order.data() + order.size());
  thrust::sort(policy, order.data(), order.data() + order.size(), LessByComparing<Text>{Places(strings)});
  return order;
}

template <class Text>
Buffer<std::uint32_t> sort_by_prefix(const sort::Strings<Text>& strings, const Stream& stream) {
  Buffer<std::uint32_t> order(strings.count, stream);
  Buffer<PrefixAndNumber> items(strings.count, stream);
  PoolAllocator pool{&stream};
  const auto policy = thrust::cuda::par_nosync(pool).on(stream.handle());
  cuda::launch("prefixes_kernel", prefixes_kernel<Text>, strings.count, stream, strings, items.data());
  thrust::sort(policy, items.data(), items.data() + items.size(), LessByPrefix<Text>{Places(strings)});
  cuda::launch("numbers_kernel", numbers_kernel, strings.count, stream, items.data(), strings.count, order.data());
  return order;
}

struct Facts {
  unsigned long long different = 0;  // rows in which two orders differ
  unsigned long long wrong_heads = 0;
  unsigned long long symbols_needed = 0;  // of the prefixes that distinguish each string from its neighbours
  unsigned long long equal = 0;
};

template <class Text>
__global__ void facts_kernel(sort::Strings<Text> strings, const std::uint32_t* order, const std::uint32_t* heads,
                             const std::uint32_t* other, Facts* facts) {
  const std::uint64_t row = thread_index();
  if (row >= strings.count) return;
  if (order[row] != other[row]) atomicAdd(&facts->different, 1ULL);
  const std::uint64_t length = strings.length(order[row]);
  std::uint64_t needed = 0;
  bool head = true;
  if (row > 0) {
    const sort::FirstDifference parting = sort::part(strings, order[row - 1], order[row], 0);
    head = parting.order != 0;
    needed = parting.common + 1;
  }
  if (row + 1 < strings.count) needed = max(needed, sort::part(strings, order[row], order[row + 1], 0).common + 1);
  atomicAdd(&facts->symbols_needed, static_cast<unsigned long long>(min(needed, length)));
  if (!head) atomicAdd(&facts->equal, 1ULL);
  if (head != ((heads[row / 32] >> (row % 32) & 1) != 0)) atomicAdd(&facts->wrong_heads, 1ULL);
}

/// Median of `repeats` runs after one to warm up.
double median_seconds(int repeats, const Stream& stream, const std::function<void()>& work) {
  std::vector<double> seconds;
  for (int i = 0; i <= repeats; ++i) {
    const Event begin(stream);
    work();
    const Event end(stream);
    if (i > 0)
      seconds.push_back(end.seconds_since(begin));
    else
      stream.wait();
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

template <class Text>
void time_all(const DeviceStrings<Text>& made, int repeats, const Stream& stream, StringSortRun& run) {
  const sort::Strings<Text> strings = made.view();
  sort::cuda::DeviceOrder ours;
  Buffer<std::uint32_t> compared, prefixed;
  run.seconds = median_seconds(repeats, stream, [&] { ours = sort::cuda::sort_strings(strings, stream); });
  run.by_comparing_seconds = median_seconds(repeats, stream, [&] { compared = sort_by_comparing(strings, stream); });
  run.by_prefix_seconds = median_seconds(repeats, stream, [&] { prefixed = sort_by_prefix(strings, stream); });

  for (const Buffer<std::uint32_t>* other : {&compared, &prefixed}) {
    Buffer<Facts> facts(1, stream);
    facts.fill_zero();
    cuda::launch("facts_kernel", facts_kernel<Text>, strings.count, stream, strings, ours.order.data(),
                 ours.heads.data(), other->data(), facts.data());
    const Facts found = facts.value_at(0);
    if (found.different != 0 || found.wrong_heads != 0) {
      throw BackendError(run.input + ": " + std::to_string(found.different) + " places differ, " +
                         std::to_string(found.wrong_heads) + " heads are wrong");
    }
    run.equal_to_previous = found.equal;
    run.floor_seconds =
        (static_cast<double>(found.symbols_needed) * sort::symbol_bits<Text> / 8 + 4.0 * strings.count) /
        copy_bytes_per_second;
  }
  std::vector<std::unique_ptr<Event>> events;
  events.push_back(std::make_unique<Event>(stream));
  sort::cuda::sort_strings(strings, stream, [&](std::string_view stage) {
    events.push_back(std::make_unique<Event>(stream));
    run.stages.emplace_back(std::string(stage), 0.0);
  });
  for (std::size_t i = 0; i < run.stages.size(); ++i) run.stages[i].second = events[i + 1]->seconds_since(*events[i]);
}

Input kind_of(const std::string& name) {
  if (name == "random") return Input::random;
  if (name == "words") return Input::words;
  if (name == "paths") return Input::paths;
  if (name == "amplicons") return Input::amplicons;
  return Input::reads;
}

}  // namespace

StringSortRun run_string_sort(const std::string& input, std::uint64_t strings, const Backend& backend, int repeats) {
  const Stream stream(backend);
  StringSortRun run;
  run.input = input, run.strings = strings;
  if (input == "packed") {
    const auto made = make_packed_reads(strings, stream);
    run.bytes = made.symbols / 4;
    time_all(made, repeats, stream, run);
    return run;
  }
  const auto made = make_bytes(kind_of(input), strings, stream);
  run.bytes = made.symbols;
  time_all(made, repeats, stream, run);
  return run;
}

}  // namespace warpseed::bench
