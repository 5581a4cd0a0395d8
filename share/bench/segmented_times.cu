#include "segmented_times.hpp"

#include <bit>
#include <cmath>
#include <cub/device/device_segmented_radix_sort.cuh>
#include <cub/device/device_segmented_sort.cuh>
#include <functional>
#include <random>
#include <sstream>

#include "core/event.cuh"
#include "core/launch.cuh"
#include "core/primitives.cuh"
#include "sort/segmented_sort.cuh"

namespace warpseed::bench {

using namespace cuda;

namespace {

/// Maps a number in [0, 1) to a length.
using Quantile = std::function<double(double)>;

Quantile quantile_of(const std::string& distribution) {
  std::vector<std::string> parts;
  std::istringstream in(distribution);
  for (std::string part; std::getline(in, part, '-');) parts.push_back(part);
  if (parts.size() == 2 && parts[0] == "uniform") {
    return [last = 2 * std::stod(parts[1]) - 1](double u) { return 1 + u * last; };
  }
  if (parts.size() == 3 && parts[0] == "between") {
    return [a = std::stod(parts[1]), b = std::stod(parts[2])](double u) { return a + u * (b - a + 1); };
  }
  if (parts.size() == 2 && parts[0] == "power") {
    const double slope = 1 - std::stod(parts[1]), beyond = std::pow(2.0, 21 * slope);  // longer than 2^21
    return [=](double u) { return std::pow(1 - u * (1 - beyond), 1 / slope); };
  }
  throw std::invalid_argument("unknown distribution " + distribution);
}

}  // namespace

std::vector<std::uint64_t> make_offsets(const std::string& distribution, std::uint64_t keys) {
  const Quantile length_at = quantile_of(distribution);
  std::mt19937_64 rng(1);
  std::vector<std::uint64_t> offsets = {0};
  while (offsets.back() < keys) {
    const double u = static_cast<double>(rng() >> 11) * 0x1p-53;
    offsets.push_back(std::min(keys, offsets.back() + static_cast<std::uint64_t>(length_at(u))));
  }
  return offsets;
}

namespace {

__device__ std::uint64_t mix_bits(std::uint64_t x) {  // splitmix64
  x += 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

template <class Value>
__global__ void fill_kernel(std::uint32_t* keys, Value* values, std::uint64_t count) {
  const std::uint64_t i = thread_index();
  if (i < count) keys[i] = static_cast<std::uint32_t>(mix_bits(i)), values[i] = static_cast<Value>(i);
}

__global__ void join_kernel(View<std::uint64_t> offsets, const std::uint32_t* keys, std::uint64_t* joined,
                            std::uint64_t count) {
  const std::uint64_t i = thread_index();
  if (i >= count) return;
  std::uint64_t begin = 0, end = offsets.size - 1;
  while (end - begin > 1) {
    const std::uint64_t middle = begin + (end - begin) / 2;
    (offsets[middle] <= i ? begin : end) = middle;
  }
  joined[i] = begin << 32 | keys[i];
}

template <class T>
__global__ void count_differences_kernel(const T* a, const T* b, std::uint64_t count, std::uint32_t* differences) {
  const std::uint64_t i = thread_index();
  if (i < count && a[i] != b[i]) atomicAdd(differences, 1U);
}

}  // namespace

struct SegmentedData::Arrays {
  Stream stream;
  std::uint64_t count;
  int value_bytes;
  Buffer<std::uint64_t> offsets;
  Buffer<std::uint32_t> keys, sorted_keys, expected_keys;
  Buffer<std::uint64_t> values, sorted, expected;  // sized for the wider values

  Arrays(std::span<const std::uint64_t> host_offsets, int bytes, const Backend& backend)
      : stream(backend),
        count(host_offsets.back()),
        value_bytes(bytes),
        offsets(host_offsets, stream),
        keys(count, stream),
        sorted_keys(count, stream),
        expected_keys(count, stream),
        values(count, stream),
        sorted(count, stream),
        expected(count, stream) {
    with_width([&](auto* in, auto*, auto*) {
      launch("fill_kernel", fill_kernel<std::remove_reference_t<decltype(*in)>>, count, stream, keys.data(), in, count);
    });
    stream.wait();
  }

  /// Calls work(values, sorted, expected) with pointers of the requested width.
  template <class Work>
  void with_width(Work work) {
    if (value_bytes == 4) {
      const auto narrow = [](auto& buffer) { return reinterpret_cast<std::uint32_t*>(buffer.data()); };
      return work(narrow(values), narrow(sorted), narrow(expected));
    }
    work(values.data(), sorted.data(), expected.data());
  }

  template <class Run>
  std::vector<double> time(int repeats, Run run) {
    std::vector<double> seconds;
    for (int i = 0; i <= repeats; ++i) {
      const Event begin(stream);
      run();
      const Event end(stream);
      if (i > 0) seconds.push_back(end.seconds_since(begin));
    }
    stream.wait();
    return seconds;
  }

  /// call(storage, bytes) as CUB's interface; the storage is allocated before the timer starts.
  template <class Call>
  std::vector<double> time_cub(int repeats, Call call) {
    std::size_t bytes = 0;
    check(call(static_cast<void*>(nullptr), bytes), "asking for storage");
    Buffer<std::byte> storage(std::max<std::size_t>(bytes, 1), stream);
    return time(repeats, [&] { check(call(static_cast<void*>(storage.data()), bytes), "sorting with CUB"); });
  }
  std::int64_t items() const { return static_cast<std::int64_t>(count); }
  std::int64_t segments() const { return static_cast<std::int64_t>(offsets.size()) - 1; }
};

SegmentedData::SegmentedData(std::span<const std::uint64_t> offsets, int value_bytes, const Backend& backend)
    : arrays_(new Arrays(offsets, value_bytes, backend)) {}

SegmentedData::~SegmentedData() {
  delete arrays_;
}

std::vector<double> SegmentedData::time_segmented_sort(int repeats, const sort::cuda::SegmentedSortTuning& tuning) {
  Arrays& a = *arrays_;
  std::vector<double> seconds;
  a.with_width([&]<class Value>(Value* values, Value* sorted, Value*) {
    const sort::cuda::PairArrays<Value> pairs{a.keys.data(), values, a.sorted_keys.data(), sorted};
    seconds = a.time(repeats, [&] { sort::cuda::segmented_sort(pairs, a.offsets.view(), a.count, a.stream, tuning); });
  });
  return seconds;
}

std::vector<double> SegmentedData::time_cub_segmented_sort(int repeats) {
  Arrays& a = *arrays_;
  std::vector<double> seconds;
  a.with_width([&](auto* values, auto*, auto* expected) {
    seconds = a.time_cub(repeats, [&](void* storage, std::size_t& bytes) {
      return cub::DeviceSegmentedSort::StableSortPairs(storage, bytes, a.keys.data(), a.expected_keys.data(), values,
                                                       expected, a.items(), a.segments(), a.offsets.data(),
                                                       a.offsets.data() + 1, a.stream.handle());
    });
  });
  return seconds;
}

std::vector<double> SegmentedData::time_cub_segmented_radix_sort(int repeats) {
  Arrays& a = *arrays_;
  std::vector<double> seconds;
  a.with_width([&](auto* values, auto* sorted, auto*) {
    seconds = a.time_cub(repeats, [&](void* storage, std::size_t& bytes) {
      return cub::DeviceSegmentedRadixSort::SortPairs(storage, bytes, a.keys.data(), a.sorted_keys.data(), values,
                                                      sorted, a.items(), a.segments(), a.offsets.data(),
                                                      a.offsets.data() + 1, 0, 32, a.stream.handle());
    });
  });
  return seconds;
}

std::vector<double> SegmentedData::time_cub_radix_sort(int repeats) {
  Arrays& a = *arrays_;
  std::vector<double> seconds;
  Buffer<std::uint64_t> joined(a.count, a.stream), sorted_joined(a.count, a.stream);
  launch("join_kernel", join_kernel, a.count, a.stream, a.offsets.view(), a.keys.data(), joined.data(), a.count);
  const int bits = 32 + static_cast<int>(std::bit_width(static_cast<std::uint64_t>(a.segments() - 1)));
  a.with_width([&](auto* values, auto* sorted, auto*) {
    seconds = a.time_cub(repeats, [&](void* storage, std::size_t& bytes) {
      return cub::DeviceRadixSort::SortPairs(storage, bytes, joined.data(), sorted_joined.data(), values, sorted,
                                             a.items(), 0, bits, a.stream.handle());
    });
  });
  return seconds;
}

std::uint64_t SegmentedData::differences() {
  Arrays& a = *arrays_;
  Buffer<std::uint32_t> differences(1, a.stream);
  differences.fill_zero();
  launch("count_differences_kernel", count_differences_kernel<std::uint32_t>, a.count, a.stream, a.sorted_keys.data(),
         a.expected_keys.data(), a.count, differences.data());
  a.with_width([&]<class Value>(Value*, Value* sorted, Value* expected) {
    launch("count_differences_kernel", count_differences_kernel<Value>, a.count, a.stream, sorted, expected, a.count,
           differences.data());
  });
  return differences.value_at(0);
}

}  // namespace warpseed::bench
