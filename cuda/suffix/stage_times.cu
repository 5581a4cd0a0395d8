#include "suffix/stage_times.hpp"

#include <memory>

#include "core/event.cuh"
#include "suffix/prefix_doubling.cuh"
#include "suffix/suffix_check.cuh"

namespace warpseed::cuda {

namespace {

std::vector<StageTime> run_once(const DeviceText& text, const Stream& stream, SortedSuffixes& sorted) {
  std::vector<std::unique_ptr<Event>> events;
  std::vector<StageTime> times;
  sorted = {};
  events.push_back(std::make_unique<Event>(stream));
  sorted = sort_suffixes(text, false, stream, [&](std::string_view stage) {
    events.push_back(std::make_unique<Event>(stream));
    times.push_back({std::string(stage), 0});
  });
  for (std::size_t stage = 0; stage < times.size(); ++stage) {
    times[stage].seconds = events[stage + 1]->seconds_since(*events[stage]);
  }
  return times;
}

SortTimes time_sort(const DeviceText& text, const Stream& stream, int repeats) {
  SortTimes times;
  SortedSuffixes sorted;
  for (int i = 0; i < repeats; ++i) times.runs.push_back(run_once(text, stream, sorted));
  stream.wait();
  times.peak_bytes = peak_device_bytes();
  times.first_wrong_row = first_wrong_row(text, sorted.suffixes, stream);
  return times;
}

}  // namespace

SortTimes time_suffix_sort(const GenomeView& genome, const Backend& backend, int repeats) {
  const Stream stream(backend.device);
  return time_sort(DeviceText(genome, stream, backend.threads), stream, repeats);
}

SortTimes time_suffix_sort(std::span<const std::uint8_t> bytes, const Backend& backend, int repeats) {
  const Stream stream(backend.device);
  return time_sort(DeviceText(bytes, stream, backend.threads), stream, repeats);
}

}  // namespace warpseed::cuda
