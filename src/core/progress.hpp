// What long jobs tell while they run: the library reports, the program shows.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace warpseed {

/// `done` of `total` units of a named stage; total is 0 where it is not known.
struct Progress {
  std::string_view stage;  // "reading FASTA"
  std::string_view unit;   // "bases", "reads"
  std::uint64_t done = 0;
  std::uint64_t total = 0;
};

/// Called from any thread, one call at a time, at most some times a second. May be empty.
using ProgressCallback = std::function<void(const Progress&)>;

}  // namespace warpseed
