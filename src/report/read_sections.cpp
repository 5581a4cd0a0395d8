// Mapping qualities, base qualities, GC content, and differences from the genome by position in the read.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/chart.hpp"
#include "report/html_text.hpp"
#include "report/sections.hpp"

namespace warpseed::report {

namespace {

using align::PositionCounts;
using align::QualityPoint;

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

double percent_of(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? no_value : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

/// An axis of positions in the read, counted from 1.
Chart chart_by_position(std::string id, std::string title, std::size_t positions, std::size_t joined) {
  Chart chart;
  chart.id = std::move(id), chart.title = std::move(title);
  chart.x_title = "position in the read, as sequenced", chart.x_heading = "position";
  chart.x_texts = position_texts(positions, joined);
  for (std::size_t i = 0; i < positions; i += joined) {
    chart.x.push_back(static_cast<double>(i + std::min(i + joined, positions) + 1) / 2);
  }
  chart.x_begin = 1, chart.x_end = static_cast<double>(std::max<std::size_t>(positions, 2));
  return chart;
}

std::string end_name(const PageData& data, std::size_t end) {
  return !data.paired() ? "reads" : end == 0 ? "first mates" : "second mates";
}

Chart quality_chart(const std::vector<QualityPoint>& points, std::size_t end, const std::string& whose) {
  const std::size_t joined = joined_positions(points.size());
  Chart chart =
      chart_by_position(fmt::format("qualities-{}", end + 1), "Base qualities, " + whose, points.size(), joined);
  chart.y_title = "Phred quality";
  Series low{"lower quartile", Drawing::band, 1, {}, 0}, high{"upper quartile", Drawing::listed, 1, {}, 0};
  Series median{"median", Drawing::line, 1, {}, 0}, mean{"mean", Drawing::dashed, 2, {}, 2};
  for (std::size_t i = 0; i < points.size(); i += joined) {
    const QualityPoint& point = points[i + (std::min(joined, points.size() - i) - 1) / 2];  // the middle one
    low.values.push_back(point.lower_quartile), high.values.push_back(point.upper_quartile);
    median.values.push_back(point.median), mean.values.push_back(point.mean);
  }
  if (joined > 1) chart.note = fmt::format("One position of every {}.", joined);
  chart.series = {low, high, median, mean};
  return chart;
}

std::string gc_chart(const PageData& data) {
  Chart chart;
  chart.id = "gc", chart.title = "GC content of reads";
  chart.x_title = "G and C of the read's bases, %", chart.x_heading = "G and C, %", chart.y_title = "% of reads";
  chart.x_begin = 0, chart.x_end = 100;
  for (int i = 0; i <= 100; ++i) chart.x.push_back(i);
  const auto add = [&](std::string name, const align::ReadProfile& profile) {
    if (profile.reads == 0) return;
    const auto color = static_cast<unsigned>(chart.series.size() + 1);
    Series series{std::move(name), color == 1 ? Drawing::line : Drawing::dashed, color, {}, 3};
    for (const std::uint64_t reads : profile.gc_percent()) series.values.push_back(percent_of(reads, profile.reads));
    chart.series.push_back(std::move(series));
  };
  add(end_name(data, 0), data.statistics.profiles[0]);
  if (data.paired()) add(end_name(data, 1), data.statistics.profiles[1]);
  add("long reads", data.statistics.long_profile);
  return chart.series.empty() ? std::string() : chart_html(chart);
}

/// Sums of `joined` positions each.
std::vector<PositionCounts> join(const std::vector<PositionCounts>& positions, std::size_t joined) {
  std::vector<PositionCounts> sums;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (i % joined == 0) sums.emplace_back();
    sums.back() += positions[i];
  }
  return sums;
}

struct Difference {
  const char *id, *title;
  std::uint64_t PositionCounts::*part;
  std::uint64_t PositionCounts::*whole;
  const char* y_title;
};

constexpr Difference differences[] = {
    {"mismatches", "Mismatches", &PositionCounts::mismatches, &PositionCounts::aligned, "% of aligned bases"},
    {"insertions", "Inserted bases", &PositionCounts::inserted, &PositionCounts::reads, "% of mapped reads"},
    {"deletions", "Deletions after this base", &PositionCounts::deletions, &PositionCounts::reads, "% of mapped reads"},
    {"clips", "Soft-clipped bases", &PositionCounts::soft_clipped, &PositionCounts::reads, "% of mapped reads"},
};

Chart difference_chart(const PageData& data, const Difference& what, const std::vector<PositionCounts> (&ends)[2]) {
  const std::size_t positions = std::max(ends[0].size(), ends[1].size()), joined = joined_positions(positions);
  Chart chart = chart_by_position(what.id, what.title, positions, joined);
  chart.y_title = what.y_title;
  for (std::size_t end = 0; end < (data.paired() ? 2 : 1); ++end) {
    Series series{
        end_name(data, end), end == 0 ? Drawing::line : Drawing::dashed, static_cast<unsigned>(end + 1), {}, 4};
    for (const PositionCounts& counts : join(ends[end], joined)) {
      series.values.push_back(percent_of(counts.*what.part, counts.*what.whole));
    }
    series.values.resize(chart.x.size(), no_value);
    chart.series.push_back(std::move(series));
  }
  return chart;
}

}  // namespace

std::size_t joined_positions(std::size_t positions, std::size_t most) {
  return std::max<std::size_t>(1, (positions + most - 1) / most);
}

std::vector<std::string> position_texts(std::size_t positions, std::size_t joined) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < positions; i += joined) {
    const std::size_t end = std::min(i + joined, positions);
    texts.push_back(end == i + 1 ? count_text(end) : fmt::format("{}\u2013{}", count_text(i + 1), count_text(end)));
  }
  return texts;
}

std::string mapping_quality_section(const PageData& data) {
  const auto& counts = data.statistics.mapping_qualities;
  std::size_t size = 61;
  for (std::size_t i = size; i < counts.size(); ++i) size = counts[i] > 0 ? i + 1 : size;
  Chart chart;
  chart.id = "mapq", chart.title = "Mapped reads by mapping quality", chart.logarithmic = true, chart.wide = true;
  chart.x_heading = "MAPQ", chart.x_title = "mapping quality of the primary record",
  chart.y_title = "reads, logarithmic";
  chart.x_begin = -0.5, chart.x_end = static_cast<double>(size) - 0.5;
  Series reads{"reads", Drawing::bars, 1, {}, 0};
  for (std::size_t i = 0; i < size; ++i) {
    chart.x.push_back(static_cast<double>(i) - 0.5), chart.x_texts.push_back(std::to_string(i));
    reads.values.push_back(static_cast<double>(counts[i]));
  }
  chart.series = {reads};
  return section("mapping-quality", "Mapping quality", chart_html(chart));
}

std::string base_section(const PageData& data) {
  std::string html;
  for (std::size_t end = 0; end < 2; ++end) {
    const std::vector<QualityPoint> points = data.statistics.profiles[end].qualities();
    if (!points.empty()) html += chart_html(quality_chart(points, end, end_name(data, end)));
  }
  html += gc_chart(data);
  return html.empty() ? html : section("bases", "Bases of the reads", "<div class=\"charts\">\n" + html + "</div>\n");
}

std::string difference_section(const PageData& data) {
  const std::vector<PositionCounts> ends[2] = {data.statistics.ends[0].positions(),
                                               data.statistics.ends[1].positions()};
  if (ends[0].empty() && ends[1].empty()) return {};
  std::string html =
      "<p>Primary records of reads of up to 1,000 bases and of mates; positions with an N in read or genome are left "
      "out.</p>\n"
      "<div class=\"charts\">\n";
  for (const Difference& what : differences) html += chart_html(difference_chart(data, what, ends));
  return section("differences", "Differences from the genome by position in the read", html + "</div>\n");
}

}  // namespace warpseed::report
