#include "align/report/report_parts.hpp"

#include <fmt/format.h>

#include <span>

namespace warpseed::align {

namespace {

void add_qualities(std::string_view name, const ReadProfile& profile, JsonWriter& json) {
  const std::vector<QualityPoint> at = profile.qualities();
  const auto row = [&](const char* what, unsigned QualityPoint::*number) {
    json.key(what).row(at.size(), [&](std::size_t i) { return at[i].*number; });
  };
  json.key(name).begin('{');
  json.key("bases").row(at.size(), [&](std::size_t i) { return at[i].bases; });
  json.key("mean").row(at.size(), [&](std::size_t i) { return fmt::format("{:.6g}", at[i].mean); });
  row("lower_quartile", &QualityPoint::lower_quartile);
  row("median", &QualityPoint::median);
  row("upper_quartile", &QualityPoint::upper_quartile);
  json.end('}');
}

void add_depth(const CoverageWindow& sums, JsonWriter& json) {
  json.member("known_bases", sums.known_bases);
  json.member("aligned_bases", sums.aligned_bases);
  json.member("covered_bases", sums.covered_bases);
  json.member("mean_depth", rate(sums.aligned_bases, sums.known_bases));
  json.member("covered_share", rate(sums.covered_bases, sums.known_bases));
}

/// windows: of this contig.
void add_contig(const CoverageWindow& sums, const std::string& name, std::span<const CoverageWindow> windows,
                JsonWriter& json) {
  json.begin('{');
  json.member("name", json_string(name));
  json.member("length", sums.end);
  add_depth(sums, json);
  json.key("depth").row(windows.size(),
                        [&](std::size_t i) { return rate(windows[i].aligned_bases, windows[i].known_bases); });
  json.end('}');
}

}  // namespace

void add_reference(const ReportContext& context, JsonWriter& json) {
  json.key("reference").begin('{');
  json.member("index", json_string(context.index_path));
  json.member("checksum", fmt::format("\"{:08x}\"", context.index_checksum));
  json.member("contigs", context.coverage->contig_count());
  json.member("bases", context.coverage->genome_bases());
  json.end('}');
}

void add_base_qualities(const AlignStatistics& statistics, JsonWriter& json) {
  const bool paired = statistics.counts.paired;
  json.key("base_qualities").begin('{');
  add_qualities(paired ? "first_mates" : "reads", statistics.profiles[0], json);
  if (paired) add_qualities("second_mates", statistics.profiles[1], json);
  json.end('}');
}

void add_gc_content(const AlignStatistics& statistics, JsonWriter& json) {
  const auto add = [&](const char* name, const ReadProfile& profile) {
    const auto percent = profile.gc_percent();
    json.key(name).row(percent.size(), [&](std::size_t i) { return percent[i]; });
  };
  const bool paired = statistics.counts.paired;
  json.key("gc_percent").begin('{');
  add(paired ? "first_mates" : "reads", statistics.profiles[0]);
  if (paired) add("second_mates", statistics.profiles[1]);
  if (statistics.long_reads.reads > 0) add("long_reads", statistics.long_profile);
  json.end('}');
}

void add_coverage(const AlignStatistics& statistics, const ReportContext& context, JsonWriter& json) {
  const std::vector<CoverageWindow> windows = context.coverage->windows(statistics.window_bases);
  CoverageWindow all;
  for (const CoverageWindow& window : windows) all += window;
  json.key("coverage").begin('{');
  json.member("window_bases", context.coverage->window_bases());
  add_depth(all, json);
  json.key("contigs").begin('[');
  std::size_t first = 0;
  for (const CoverageWindow& sums : by_contig(windows)) {
    std::size_t end = first;
    while (end < windows.size() && windows[end].contig == sums.contig) ++end;
    add_contig(sums, context.contig_names.at(sums.contig), std::span(windows).subspan(first, end - first), json);
    first = end;
  }
  json.end(']');
  json.end('}');
}

}  // namespace warpseed::align
