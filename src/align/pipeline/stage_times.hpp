// Time spent in each stage of alignment.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "core/timing.hpp"

namespace warpseed::align {

enum class AlignStage : std::size_t { seeds, locating, chains, extension, pairs, records, copies };
// copies: between device and host

constexpr std::array<std::string_view, 7> align_stage_names = {"seeds", "locating", "chains", "extension",
                                                               "pairs", "records",  "copies"};

/// Seconds of one thread, or the sum over threads. Threads: one each.
class StageTimes {
 public:
  /// Starts the interval that the next end() assigns to its stage.
  void begin() { watch_.restart(); }
  void end(AlignStage stage) {
    seconds_[static_cast<std::size_t>(stage)] += watch_.seconds();
    watch_.restart();
  }

  void add(const StageTimes& other) {
    for (std::size_t i = 0; i < seconds_.size(); ++i) seconds_[i] += other.seconds_[i];
  }

  double seconds(AlignStage stage) const { return seconds_[static_cast<std::size_t>(stage)]; }
  double total() const {
    double sum = 0;
    for (const double value : seconds_) sum += value;
    return sum;
  }

 private:
  std::array<double, align_stage_names.size()> seconds_{};
  Stopwatch watch_;
};

}  // namespace warpseed::align
