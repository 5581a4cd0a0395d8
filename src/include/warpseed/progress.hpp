// Progress of long jobs: the library reports it, the program displays it.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace warpseed {

/// `done` of `total` units of a named stage; total is 0 if unknown. Then `share` is the part that is done, from 0 to 1, as
/// far as it is known otherwise, such as by the bytes read of the input files; 0 if it is not.
struct Progress {
  std::string_view stage;  // "reading FASTA"
  std::string_view unit;   // "bases", "reads"
  std::uint64_t done = 0;
  std::uint64_t total = 0;
  double share = 0;
};

/// Called from any thread, one call at a time, at most a few times per second. May be empty.
using ProgressCallback = std::function<void(const Progress&)>;

}  // namespace warpseed
