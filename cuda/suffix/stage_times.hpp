// How long the stages of a suffix sort take on a device, and what memory they need.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/backend.hpp"
#include "text/genome_core.hpp"

namespace warpseed::cuda {

struct StageTime {
  std::string stage;
  double seconds = 0;  // on the device
};

struct SortTimes {
  std::vector<std::vector<StageTime>> runs;  // [repeats], rounds of refinement one by one
  std::uint64_t peak_bytes = 0;              // of device memory, the text's included
  std::uint64_t first_wrong_row = 0;         // of the last array, checked in linear time; the text's size: none
};

/// Sorts the suffixes of a text `repeats` times on the device, the text being there before and the array after.
SortTimes time_suffix_sort(const GenomeView& genome, const Backend& backend, int repeats);
SortTimes time_suffix_sort(std::span<const std::uint8_t> bytes, const Backend& backend, int repeats);

}  // namespace warpseed::cuda
