// Device times of LCP arrays, range minima and common extensions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/backend.hpp"
#include "suffix_times.hpp"
#include "text/genome_core.hpp"

namespace warpseed::cuda {

struct LcpTimes {
  std::vector<double> sort, lcp;               // seconds, one per run
  std::vector<std::vector<StageTime>> stages;  // of the LCP array, by run
  std::vector<std::uint32_t> suffixes, array;  // the last run's, if wanted
};

/// Sorts and compares on the device; the text and both arrays are on the device.
LcpTimes time_lcp(const text::GenomeView& genome, const Backend& backend, int repeats, bool keep);

/// Values for range minima: "lcp-like" (10 to 17, few larger), "random" (32 bits), "mountain" (the smallest at the ends
/// of the array: every level is read).
struct MinimaJob {
  std::string values = "lcp-like";
  std::uint64_t entries = 0, queries = 0;
  std::uint64_t longest = 0;  // of a range; 0: both ends random
  int repeats = 5;
};

struct MinimaTimes {
  std::vector<double> build, minima, leftmosts;  // seconds, one per run
  std::uint64_t extra_bytes = 0;
  std::vector<double> nodes;             // [5] nodes read per query, by level
  double table_entries = 0;              // read per query
  std::uint64_t checked = 0, wrong = 0;  // of a sample whose ranges were scanned
};

MinimaTimes time_minima(const MinimaJob& job, const Backend& backend);

}  // namespace warpseed::cuda
