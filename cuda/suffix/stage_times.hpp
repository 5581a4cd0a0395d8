// How long the stages of a suffix sort take on a device.
#pragma once

#include <string>
#include <vector>

#include "core/backend.hpp"
#include "text/genome_core.hpp"

namespace warpseed::cuda {

struct StageTime {
  std::string stage;
  double seconds = 0;  // on the device
};

/// Sorts the suffixes of a text `repeats` times on the device, the text being there already, and tells what
/// each stage took each time: [repeats]. Rounds of refinement come one by one.
std::vector<std::vector<StageTime>> time_suffix_sort(const GenomeView& genome, const Backend& backend, int repeats);

}  // namespace warpseed::cuda
