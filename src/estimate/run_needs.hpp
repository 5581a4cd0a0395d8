// What a run takes, said beforehand.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpseed::estimate {

/// What a run of `index` or `align` takes. Memory is an upper bound, of which a run takes at least a third; sizes of
/// files are right within a factor of two; the time is a rough figure, of a machine as in costs.hpp.
struct RunNeeds {
  std::uint64_t input_bytes = 0;          // stored, of the reference or of the reads
  std::uint64_t reads = 0, bases = 0;     // in them; `reads` is 0 for a reference
  std::uint64_t memory_bytes = 0;         // of the host at the peak, the pages of a mapped index included
  std::uint64_t device_memory_bytes = 0;  // of each device; 0 on the CPU
  std::uint64_t output_bytes = 0;         // of the index, or of the records; a report's not included
  std::uint64_t temporary_bytes = 0;      // of sorted runs, while the output is written
  double seconds = 0;                     // of wall time
  std::vector<std::string> compressed;    // inputs whose content was estimated from their first part
};

}  // namespace warpseed::estimate
