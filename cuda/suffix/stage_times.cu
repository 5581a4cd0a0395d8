#include "suffix/stage_times.hpp"

#include <memory>

#include "core/event.cuh"
#include "suffix/prefix_doubling.cuh"

namespace warpseed::cuda {

std::vector<std::vector<StageTime>> time_suffix_sort(const GenomeView& genome, const Backend& backend, int repeats) {
  const Stream stream(backend.device);
  const DeviceText text(genome, stream, backend.threads);
  std::vector<std::vector<StageTime>> all;
  for (int i = 0; i < repeats; ++i) {
    std::vector<std::unique_ptr<Event>> events;
    std::vector<StageTime> times;
    events.push_back(std::make_unique<Event>(stream));
    sort_suffixes(text, stream, [&](std::string_view stage) {
      events.push_back(std::make_unique<Event>(stream));
      times.push_back({std::string(stage), 0});
    });
    for (std::size_t stage = 0; stage < times.size(); ++stage) {
      times[stage].seconds = events[stage + 1]->seconds_since(*events[stage]);
    }
    all.push_back(std::move(times));
  }
  return all;
}

}  // namespace warpseed::cuda
