// How long the stages of alignment took, for who wants to know what the time went into.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "core/timing.hpp"

namespace warpseed::align {

enum class AlignStage : std::size_t { seeds, locating, chains, extension, pairs, records, copies };
// copies: between a device and here

constexpr std::array<std::string_view, 7> align_stage_names = {"seeds", "locating", "chains", "extension",
                                                               "pairs", "records",  "copies"};

/// Seconds of one thread, or of all together. Threads: one each.
class StageTimes {
 public:
  /// The time from here on belongs to the stage that ends next.
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
