// Device times of the segmented sort and of CUB's equivalents on the same data.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/backend.hpp"
#include "sort/segmented_sort_tuning.hpp"

namespace warpseed::bench {

/// Lengths by `distribution`, drawn with a fixed seed until they sum up to `keys`: "uniform-N" for lengths in [1, 2N -
/// 1], "between-A-B" for lengths in [A, B], "power-E" for probabilities that fall with the length to the power of E, up
/// to 2^21. Returns offsets.
/// Throws std::invalid_argument for other names.
std::vector<std::uint64_t> make_offsets(const std::string& distribution, std::uint64_t keys);

/// Random keys in segments, with their indices as values, on a device; the input of all runs.
class SegmentedData {
 public:
  SegmentedData(std::span<const std::uint64_t> offsets, int value_bytes, const Backend& backend);
  ~SegmentedData();

  /// Seconds of each of `repeats` runs, after one to warm up. The data does not change.
  std::vector<double> time_segmented_sort(int repeats, const sort::cuda::SegmentedSortTuning& tuning = {});
  std::vector<double> time_cub_segmented_sort(int repeats);
  std::vector<double> time_cub_segmented_radix_sort(int repeats);
  /// 64-bit keys, segment << 32 | key, built before the timer starts; sorts by the bits in use only.
  std::vector<double> time_cub_radix_sort(int repeats);

  /// Number of pairs in which time_segmented_sort and time_cub_segmented_sort differ; call after both.
  std::uint64_t differences();

 private:
  struct Arrays;
  Arrays* arrays_;
};

}  // namespace warpseed::bench
