// One input of bench_string_sort: sorted by sort_strings() and two baselines, timed on the device.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/backend.hpp"

namespace warpseed::bench {

struct StringSortRun {
  std::string input;
  std::uint64_t strings = 0;
  std::uint64_t bytes = 0;              // of the strings, as stored on the device
  double floor_seconds = 0;             // distinguishing prefixes read and the order written, at copy bandwidth
  double seconds = 0;                   // sort_strings()
  double by_comparing_seconds = 0;      // thrust::sort of numbers, comparing the strings
  double by_prefix_seconds = 0;         // thrust::sort of (first 8 bytes, number), comparing strings if these agree
  std::uint64_t equal_to_previous = 0;  // strings that equal the previous one in the order
  std::vector<std::pair<std::string, double>> stages;  // of one run of sort_strings()
};

/// input: "random", "words", "paths", "reads" (bytes), "packed" (the same reads) or "amplicons" (bytes).
/// Medians of `repeats` runs after one to warm up. Throws BackendError if the three orders differ.
StringSortRun run_string_sort(const std::string& input, std::uint64_t strings, const Backend& backend, int repeats);

}  // namespace warpseed::bench
