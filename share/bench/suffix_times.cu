#include "suffix_times.hpp"

#include <memory>
#include <optional>

#include "core/event.cuh"
#include "index/fm_build.cuh"
#include "suffix/entry.hpp"
#include "suffix/sort_rows.cuh"
#include "suffix/suffix_check.cuh"

namespace warpseed::cuda {

namespace {

constexpr std::uint32_t sample_step = 4;

/// Records the stages of one run.
class StageClock {
 public:
  explicit StageClock(const Stream& stream) : stream_(stream) { mark(); }

  void done(std::string_view stage) {
    mark();
    times_.push_back({std::string(stage), 0});
  }

  std::vector<StageTime> read() {
    for (std::size_t stage = 0; stage < times_.size(); ++stage) {
      times_[stage].seconds = events_[stage + 1]->seconds_since(*events_[stage]);
    }
    return times_;
  }

 private:
  void mark() { events_.push_back(std::make_unique<Event>(stream_)); }

  const Stream& stream_;
  std::vector<std::unique_ptr<Event>> events_;
  std::vector<StageTime> times_;
};

/// suffixes: the array if it was passed in one piece and no index is wanted, else empty.
template <class Pos>
std::vector<StageTime> run_once(const suffix::cuda::DeviceText& text, std::uint64_t segments, const SortJob& job,
                                const Stream& stream, Buffer<Pos>& suffixes) {
  suffixes = {};
  StageClock clock(stream);
  std::optional<index::cuda::FmBuilder> builder;
  suffix::cuda::SortRequest request = {job.options, 0};
  if (job.with_index) request.reserved_bytes = index::cuda::fm_build_bytes(text.size(), segments, sample_step);
  suffix::cuda::sort_rows<Pos>(
      text, segments, request, stream, [&](std::string_view stage) { clock.done(stage); },
      [&](Row first_row, Buffer<Pos>& rows) {
        if (job.with_index) {
          if (!builder) builder.emplace(text, segments, sample_step, stream);
          builder->add(first_row, rows);
          clock.done("index rows");
        } else if (rows.size() == text.size()) {
          suffixes = std::move(rows);
        }
      });
  if (builder) {
    const index::cuda::DeviceIndex index = builder->finish();
    clock.done("finish index");
    stream.wait();
  }
  return clock.read();
}

template <class Pos>
SortTimes time_sort(const suffix::cuda::DeviceText& text, std::uint64_t segments, const Stream& stream,
                    const SortJob& job) {
  SortTimes times;
  Buffer<Pos> suffixes;
  for (int i = 0; i < job.repeats; ++i) times.runs.push_back(run_once(text, segments, job, stream, suffixes));
  stream.wait();
  times.peak_bytes = stream.pool().peak_bytes();
  times.first_wrong_row = text.size();
  if constexpr (sizeof(Pos) == 4) {
    if (suffixes.size() == text.size()) times.first_wrong_row = suffix::cuda::first_wrong_row(text, suffixes, stream);
    times.checked = suffixes.size() == text.size();
  }
  return times;
}

SortTimes time_any(const suffix::cuda::DeviceText& text, std::uint64_t segments, const Stream& stream,
                   const SortJob& job) {
  return text.size() <= job.options.max_narrow_symbols ? time_sort<std::uint32_t>(text, segments, stream, job)
                                                       : time_sort<std::uint64_t>(text, segments, stream, job);
}

}  // namespace

SortTimes time_suffix_sort(const text::GenomeView& genome, const Backend& backend, const SortJob& job) {
  const Stream stream(backend);
  return time_any(suffix::cuda::DeviceText(genome, stream, backend.threads), genome.segment_count(), stream, job);
}

SortTimes time_suffix_sort(std::span<const std::uint8_t> bytes, const Backend& backend, const SortJob& job) {
  const Stream stream(backend);
  return time_any(suffix::cuda::DeviceText(bytes, stream, backend.threads), 1, stream, job);
}

}  // namespace warpseed::cuda
