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

/// Reports the stages of the first member. kept: the member's rows if they came at once and no index is wanted.
template <class Pos>
std::vector<StageTime> run_once(const suffix::cuda::DeviceText& text, std::uint64_t segments, const SortJob& job,
                                const TeamMember& member, Buffer<Pos>& kept) {
  const Stream& stream = member.stream();
  kept = {};
  member.meet();
  StageClock clock(stream);
  const index::cuda::FmSizes sizes = {text.size(), segments, sample_step, sizeof(Pos)};
  std::optional<index::cuda::FmBuilder> builder;
  suffix::cuda::SortRequest request = {job.options, 0};
  if (job.with_index) request.reserved_bytes = index::cuda::fm_build_bytes(sizes);
  suffix::cuda::sort_rows<Pos>(
      text, segments, request, member, [&](std::string_view stage) { clock.done(stage); },
      [&](Row first_row, Buffer<Pos>& rows) {
        if (job.with_index) {
          if (!builder) builder.emplace(sizes, stream);
          builder->add(first_row, rows, text, stream);
          clock.done("index rows");
        } else {
          kept = std::move(rows);
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
SortTimes time_sort(const suffix::cuda::DeviceText& text, std::uint64_t segments, const TeamMember& member,
                    const SortJob& job) {
  SortTimes times;
  Buffer<Pos> kept;
  for (int i = 0; i < job.repeats; ++i) times.runs.push_back(run_once(text, segments, job, member, kept));
  member.meet();
  times.peak_bytes = member.stream().pool().peak_bytes();
  times.first_wrong_row = text.size();
  if constexpr (sizeof(Pos) == 4) {
    times.checked = sum_of_members(kept.size(), member) == text.size();
    if (times.checked) times.first_wrong_row = suffix::cuda::first_wrong_row(text, kept, member);
  }
  return times;
}

/// make_text(stream, threads): a member's copy.
template <class MakeText>
SortTimes time_on_team(const Backend& backend, std::uint64_t segments, const SortJob& job, const MakeText& make_text) {
  const DeviceTeam team = suffix::cuda::sorting_team(backend, job.options);
  SortTimes of_first;
  team.run([&](const TeamMember& member) {
    const suffix::cuda::DeviceText text = make_text(member.stream(), team.threads_each());
    const bool narrow = text.size() <= job.options.max_narrow_symbols;
    const SortTimes times = narrow ? time_sort<std::uint32_t>(text, segments, member, job)
                                   : time_sort<std::uint64_t>(text, segments, member, job);
    if (member.number() == 0) of_first = times;
  });
  return of_first;
}

}  // namespace

SortTimes time_suffix_sort(const text::GenomeView& genome, const Backend& backend, const SortJob& job) {
  return time_on_team(backend, genome.segment_count(), job, [&](const Stream& stream, int threads) {
    return suffix::cuda::DeviceText(genome, stream, threads);
  });
}

SortTimes time_suffix_sort(std::span<const std::uint8_t> bytes, const Backend& backend, const SortJob& job) {
  return time_on_team(backend, 1, job, [&](const Stream& stream, int threads) {
    return suffix::cuda::DeviceText(bytes, stream, threads);
  });
}

}  // namespace warpseed::cuda
