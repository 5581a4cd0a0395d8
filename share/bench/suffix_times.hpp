// Device times and memory of the stages of a suffix sort.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/backend.hpp"
#include "suffix/suffix_array.hpp"
#include "text/genome_core.hpp"

namespace warpseed::cuda {

struct StageTime {
  std::string stage;
  double seconds = 0;  // on the device
};

struct SortTimes {
  std::vector<std::vector<StageTime>> runs;  // [repeats], rounds of refinement individually
  std::uint64_t peak_bytes = 0;              // of device memory, including the text
  bool checked = false;                      // the last array was checked, in linear time
  std::uint64_t first_wrong_row = 0;         // the text's size if none is wrong
};

struct SortJob {
  suffix::SortOptions options;
  bool with_index = false;  // continue with rank blocks, samples and k-mer table, on one device; the array is not kept
  int repeats = 1;
};

/// Sorts the suffixes of a text on the devices of the backend; the text and the array or index are there. Times and memory
/// are those of the first device.
SortTimes time_suffix_sort(const text::GenomeView& genome, const Backend& backend, const SortJob& job);
SortTimes time_suffix_sort(std::span<const std::uint8_t> bytes, const Backend& backend, const SortJob& job);

}  // namespace warpseed::cuda
