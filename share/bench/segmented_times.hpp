// Device times of the segmented sort and of CUB's ways to do the same, on the same data.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sort/segmented_sort_tuning.hpp"

namespace warpseed::bench {

/// Lengths as `distribution` says, drawn from a fixed seed until they sum up to `keys`: "uniform-N" for lengths in
/// [1, 2N - 1], "between-A-B" for lengths in [A, B], "power-E" for probabilities that fall with the length to the E, up
/// to 2^21. Returns offsets.
/// Throws std::invalid_argument for another name.
std::vector<std::uint64_t> make_offsets(const std::string& distribution, std::uint64_t keys);

/// Random keys and their places as values on a device, in segments; what is sorted again and again.
class SegmentedData {
 public:
  SegmentedData(std::span<const std::uint64_t> offsets, int value_bytes, int device);
  ~SegmentedData();

  /// Seconds of each of `repeats` runs, one more before them to warm up. The data stays as it is.
  std::vector<double> time_ours(int repeats, const sort::cuda::SegmentedSortTuning& tuning = {});
  std::vector<double> time_cub_segmented_sort(int repeats);
  std::vector<double> time_cub_segmented_radix_sort(int repeats);
  /// 64-bit keys, segment << 32 | key, made beforehand and outside the time; only bits that are needed are sorted by.
  std::vector<double> time_cub_radix_sort(int repeats);

  /// Pairs in which time_ours and time_cub_segmented_sort differ; call after both.
  std::uint64_t differences();

 private:
  struct Arrays;
  Arrays* arrays_;
};

}  // namespace warpseed::bench
