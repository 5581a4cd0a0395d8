// The progress callback of long device jobs.
#pragma once

#include <functional>
#include <string_view>

namespace warpseed::cuda {

/// Called when a stage of a job has been queued on the stream, for progress and benchmarks. May be empty.
using StageDone = std::function<void(std::string_view stage)>;

inline void say(const StageDone& done, std::string_view stage) {
  if (done) done(stage);
}

}  // namespace warpseed::cuda
