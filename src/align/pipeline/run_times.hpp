// How busy each stage of a run of `align` is.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace warpseed::align {

/// The stages that a batch passes through. All run at the same time. Aligning, with the pairs, may have several
/// batches, all others have one at a time.
enum class RunStage : std::size_t { reading, preparing, aligning, encoding, writing };

constexpr std::array<std::string_view, 5> run_stage_names = {"reading", "preparing", "aligning", "encoding", "writing"};

struct RunTimes {
  std::array<double, run_stage_names.size()>
      busy_seconds{};       // while a batch is in the stage, including the wait for its threads
  double wall_seconds = 0;  // of the whole run
  double cpu_seconds = 0;   // of all threads of the process during the run
  int cores = 1;            // that it may use

  double busy_share(RunStage stage) const {
    return wall_seconds > 0 ? std::min(1.0, busy_seconds[static_cast<std::size_t>(stage)] / wall_seconds) : 0;
  }

  double busy_share_of_cores() const {
    return wall_seconds > 0 ? std::min(1.0, cpu_seconds / (wall_seconds * cores)) : 0;
  }

  /// Whether the host's cores are the bottleneck: then every stage waits for them, and the busiest stage says little.
  /// Start and end, when few threads have work, take up to a fifth of a run.
  bool is_limited_by_cores() const { return busy_share_of_cores() >= 0.8; }

  /// The bottleneck, unless it is the cores: the busiest stage.
  RunStage limit() const {
    const auto busiest = std::max_element(busy_seconds.begin(), busy_seconds.end());
    return static_cast<RunStage>(busiest - busy_seconds.begin());
  }
};

}  // namespace warpseed::align
