#include "overlap/matches/match_run.hpp"

#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <tuple>

namespace warpseed::overlap {

namespace {

constexpr std::uint64_t matches_per_batch = 1 << 16;

/// A run of positions at which matches begin, and the header before its lines.
struct Run {
  std::uint64_t begin = 0, end = 0;
  std::string header;

  std::uint64_t positions() const { return end - begin; }
};

std::vector<Run> runs_of(const std::vector<std::uint64_t>& ends) {
  std::vector<Run> runs;
  for (const std::uint64_t end : ends) runs.push_back({runs.empty() ? 0 : runs.back().end, end, {}});
  return runs;
}

/// Runs for a format with a header for each strand of a query: cut at contigs, query by query and strand by strand.
std::vector<Run> runs_by_strand(const SequenceText& text, MatchFinder& finder, const RegionFormat& format) {
  const std::vector<std::uint64_t> ends = finder.run_ends(matches_per_batch);
  std::vector<Run> runs;
  const auto add = [&](std::uint64_t contig, std::uint32_t query, bool reverse) {
    std::uint64_t begin = finder.first_position(text.contig_begin(contig));
    const std::uint64_t contig_end = finder.first_position(text.contig_begin(contig + 1));
    runs.push_back({begin, begin, format.query_header(query, reverse)});
    for (auto end = std::upper_bound(ends.begin(), ends.end(), begin); begin < contig_end; ++end) {
      runs.back().end = std::min(*end, contig_end);
      begin = runs.back().end;
      if (begin < contig_end) runs.push_back({begin, begin, {}});
    }
  };
  const std::uint64_t forward = text.is_self() ? 0 : text.query_contig();
  const bool has_forward = text.is_self() || text.reverse_contig() > text.query_contig();
  const bool has_reverse = text.contig_count() > text.reverse_contig();
  for (std::uint32_t query = 0; query < text.queries().sequences.size(); ++query) {
    if (has_forward) add(forward + query, query, false);
    if (has_reverse) add(text.reverse_contig() + query, query, true);
  }
  return runs;
}

/// In a set compared with itself a reverse match is found from both ends; one of them is enough.
bool is_second_of_two(const CommonRegion& region) {
  if (!region.reverse) return false;
  return std::tuple(region.target, region.target_begin) > std::tuple(region.query, region.query_begin);
}

std::vector<CommonRegion> regions_of(const SequenceText& text, const std::vector<TextMatch>& matches) {
  std::vector<CommonRegion> regions;
  regions.reserve(matches.size());
  for (const TextMatch& match : matches) {
    const CommonRegion region = text.region(match.target, match.query, match.length);
    if (!text.is_self() || !is_second_of_two(region)) regions.push_back(region);
  }
  return regions;
}

/// Calls use(make(i)) for i in [0, count) in order, one at a time; make() is called concurrently.
template <class Portion, class Make, class Use>
void for_each_in_order(std::size_t count, int threads, const Make& make, const Use& use) {
  std::size_t next = 0;
  const auto take = [&](tbb::flow_control& flow) {
    if (next == count) flow.stop();
    return next < count ? next++ : next;
  };
  using tbb::filter_mode;
  tbb::task_arena(threads).execute([&] {
    tbb::parallel_pipeline(2 * static_cast<std::size_t>(threads),
                           tbb::make_filter<void, std::size_t>(filter_mode::serial_in_order, take) &
                               tbb::make_filter<std::size_t, Portion>(filter_mode::parallel, make) &
                               tbb::make_filter<Portion, void>(filter_mode::serial_in_order, use));
  });
}

}  // namespace

void for_each_match(const SequenceText& text, const MatchOptions& options, const Backend& backend,
                    const std::function<void(std::span<const CommonRegion>)>& visit) {
  using Regions = std::vector<CommonRegion>;
  const auto finder = make_match_finder(text, options, backend);
  const std::vector<Run> runs = runs_of(finder->run_ends(matches_per_batch));
  const auto make = [&](std::size_t i) { return regions_of(text, finder->matches(runs[i].begin, runs[i].end)); };
  for_each_in_order<Regions>(runs.size(), backend.threads, make, [&](const Regions& regions) { visit(regions); });
}

void write_matches(const SequenceText& text, const MatchOptions& options, const Backend& backend, RegionOutput& output,
                   const ProgressCallback& progress) {
  const auto finder = make_match_finder(text, options, backend);
  const std::vector<Run> runs = output.format().kind() == RegionFormatKind::mums
                                    ? runs_by_strand(text, *finder, output.format())
                                    : runs_of(finder->run_ends(matches_per_batch));
  std::uint64_t positions = 0, done = 0;
  for (const Run& run : runs) positions += run.positions();
  std::size_t written = 0;
  const auto make = [&](std::size_t i) {
    RegionOutput::Portion portion;
    portion.lines = runs[i].header;
    const std::vector<CommonRegion> regions = regions_of(text, finder->matches(runs[i].begin, runs[i].end));
    output.append(std::span<const CommonRegion>(regions), portion);
    return portion;
  };
  const auto write = [&](const RegionOutput::Portion& portion) {
    output.write(portion);
    done += runs[written++].positions();
    if (progress) progress({"writing matches", "start positions", done, positions});
  };
  for_each_in_order<RegionOutput::Portion>(runs.size(), backend.threads, make, write);
}

void write_longest(const SequenceText& text, const LongestOptions& options, const Backend& backend,
                   RegionOutput& output) {
  const std::vector<LongestRegion> regions = longest_regions(text, options, backend);
  for (std::size_t begin = 0; begin < regions.size(); begin += matches_per_batch) {
    RegionOutput::Portion portion;
    const std::size_t count = std::min<std::size_t>(matches_per_batch, regions.size() - begin);
    output.append(std::span<const LongestRegion>(regions).subspan(begin, count), portion);
    output.write(portion);
  }
}

}  // namespace warpseed::overlap
