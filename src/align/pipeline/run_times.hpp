// How busy the stages of a run of `align` were.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace warpseed::align {

/// What a batch goes through. All stages work at the same time; placing, with the pairs, may have several batches, all
/// others have one at a time.
enum class RunStage : std::size_t { reading, packing, aligning, encoding, writing };

constexpr std::array<std::string_view, 5> run_stage_names = {"reading", "packing", "placing", "encoding", "writing"};

struct RunTimes {
  std::array<double, run_stage_names.size()>
      busy_seconds{};       // a batch was in the stage, waiting for its threads included
  double wall_seconds = 0;  // of the whole run

  double busy_share(RunStage stage) const {
    return wall_seconds > 0 ? std::min(1.0, busy_seconds[static_cast<std::size_t>(stage)] / wall_seconds) : 0;
  }

  /// The stage that the others waited for.
  RunStage limit() const {
    const auto busiest = std::max_element(busy_seconds.begin(), busy_seconds.end());
    return static_cast<RunStage>(busiest - busy_seconds.begin());
  }
};

}  // namespace warpseed::align
