// Insert sizes of read groups by orientation, with the distributions that were learnt.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plot/tick_step.hpp"
#include "report/chart.hpp"
#include "report/html_text.hpp"
#include "report/sections.hpp"

namespace warpseed::report {

namespace {

using align::InsertSizeCounts;
using align::InsertSizeDistribution;
using align::orientation_count;
using align::orientation_names;

constexpr std::size_t most_charts = 12;
constexpr unsigned most_bins = 150;

struct Group {
  std::uint32_t number;
  const InsertSizeCounts* counts;
};

/// Those with most pairs first, ties in their order.
std::vector<Group> groups_of(const PageData& data) {
  std::vector<Group> groups;
  for (std::uint32_t i = 0; i < data.statistics.insert_sizes.size(); ++i) {
    const InsertSizeCounts& counts = data.statistics.insert_sizes[i];
    if (counts.pairs > 0) groups.push_back({i, &counts});
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const Group& a, const Group& b) { return a.counts->pairs > b.counts->pairs; });
  return groups;
}

std::string name_of(const PageData& data, const Group& group) {
  const auto& names = data.context.read_groups;
  const bool named = group.number < names.size() && !names[group.number].empty();
  return named ? names[group.number] : "without a read group";
}

/// The axis of a chart: nearly all sizes, in bins. The first and the last bin hold the others, too.
struct Axis {
  std::int64_t begin = 0, bin = 1;
  std::size_t bins = 1;

  /// But for one pair in a thousand at either end; from 0 on unless that were mostly empty.
  /// The bounds of proper pairs are on the axis, too, unless they are far from all sizes.
  Axis(const InsertSizeCounts::Sizes& sizes, const align::InsertSizeDistributions& distributions) {
    std::uint64_t pairs = 0, seen = 0;
    for (const auto& [size, count] : sizes) pairs += count;
    std::int64_t low = -1, high = 0;
    for (const auto& [size, count] : sizes) {
      seen += count;
      if (low < 0 && 1000 * seen > pairs) low = size;
      high = size;
      if (1000 * seen >= 999 * pairs) break;
    }
    for (unsigned i = 0; i < orientation_count; ++i) {
      const InsertSizeDistribution& known = distributions[static_cast<align::Orientation>(i)];
      if (!known.known) continue;
      low = std::min(low, std::max<std::int64_t>(known.low - 10, 0));
      high = std::max(high, std::min(known.high + 10, 2 * high));
    }
    if (4 * low < high) low = 0;
    bin = static_cast<std::int64_t>(plot::tick_step(static_cast<double>(high + 1 - low), most_bins, 1));
    begin = low / (10 * bin) * 10 * bin;
    bins = static_cast<std::size_t>((high - begin) / bin + 1);
  }

  std::int64_t begin_of(std::size_t i) const { return begin + static_cast<std::int64_t>(i) * bin; }

  std::vector<double> values(const InsertSizeCounts::Sizes& sizes) const {
    std::vector<double> values(bins);
    for (const auto& [size, count] : sizes) {
      const std::int64_t place = std::clamp<std::int64_t>((size - begin) / bin, 0, static_cast<std::int64_t>(bins) - 1);
      values[static_cast<std::size_t>(place)] += static_cast<double>(count);
    }
    return values;
  }

  std::string text(std::size_t i) const {
    const auto first = static_cast<std::uint64_t>(begin_of(i)), last = static_cast<std::uint64_t>(begin_of(i + 1) - 1);
    return first == last ? count_text(first) : fmt::format("{}\u2013{}", count_text(first), count_text(last));
  }
};

void add_distribution(const PageData& data, const Group& group, unsigned orientation, Chart& chart) {
  const InsertSizeDistribution& known =
      data.insert_sizes.of(group.number)[static_cast<align::Orientation>(orientation)];
  if (!known.known) return;
  chart.shaded.push_back({static_cast<double>(known.low), static_cast<double>(known.high)});
  chart.marks.push_back({known.mean, "mean " + decimal_text(known.mean, 1)});
}

std::string chart_of(const PageData& data, const Group& group, std::size_t place) {
  const InsertSizeCounts& counts = *group.counts;
  const InsertSizeCounts::Sizes all = counts.all_sizes();
  if (all.empty()) return {};
  const Axis axis(all, data.insert_sizes.of(group.number));
  Chart chart;
  chart.id = fmt::format("inserts-{}", place + 1);
  chart.title = "Proper pairs, " + name_of(data, group);
  chart.note =
      "Shaded: the sizes of proper pairs by what was learnt. The first and the last step hold smaller and larger "
      "sizes, too.";
  chart.x_title = "insert size (TLEN), bases", chart.x_heading = "bases",
  chart.y_title = axis.bin == 1 ? "pairs" : fmt::format("pairs per {} bases", axis.bin);
  chart.wide = true;
  chart.x_begin = static_cast<double>(axis.begin), chart.x_end = static_cast<double>(axis.begin_of(axis.bins));
  for (std::size_t i = 0; i < axis.bins; ++i) {
    chart.x.push_back(static_cast<double>(axis.begin_of(i))), chart.x_texts.push_back(axis.text(i));
  }
  for (const unsigned i : {1U, 2U, 0U, 3U}) {  // FR, RF, FF, RR
    if (counts.sizes[i].empty()) continue;
    const auto color = static_cast<unsigned>(chart.series.size() + 1);
    chart.series.push_back({std::string(orientation_names[i]), color == 1 ? Drawing::steps : Drawing::line, color,
                            axis.values(counts.sizes[i]), 0});
    add_distribution(data, group, i, chart);
  }
  return chart_html(chart);
}

/// The place of the group in the JSON report, which has them by number.
std::size_t json_place(const PageData& data, const Group& group) {
  std::size_t place = 0;
  for (std::uint32_t i = 0; i < group.number; ++i) place += data.statistics.insert_sizes[i].pairs > 0;
  return place;
}

std::string groups_table(const PageData& data, const std::vector<Group>& groups) {
  Table table("Pairs in one contig by the second mate\u2019s orientation, seen from the first",
              {"read group", "pairs", "FR", "RF", "FF", "RR"}, "sortable");
  for (const Group& group : groups) {
    const std::string path = fmt::format("insert_sizes.{}.", json_place(data, group));
    table.row(escaped(name_of(data, group))).count(group.counts->pairs, path + "pairs");
    for (const unsigned i : {1U, 2U, 0U, 3U}) {
      table.count(group.counts->orientations[i], fmt::format("{}orientations.{}", path, orientation_names[i]));
    }
  }
  return table.finish();
}

std::string distributions_table(const PageData& data, const std::vector<Group>& groups) {
  Table table("Insert sizes as learnt, or given with -I",
              {"read group", "orientation", "mean", "deviation", "least of proper pairs", "largest"}, "sortable");
  bool any = false;
  for (const Group& group : groups) {
    for (unsigned i = 0; i < orientation_count; ++i) {
      const InsertSizeDistribution& known = data.insert_sizes.of(group.number)[static_cast<align::Orientation>(i)];
      if (!known.known) continue;
      any = true;
      const std::string path = fmt::format("insert_sizes.{}.models.{}.", json_place(data, group), orientation_names[i]);
      table.row(escaped(name_of(data, group))).cell(orientation_names[i]);
      table.cell(decimal_text(known.mean, 1)).cell(decimal_text(known.deviation, 1));
      table.count(static_cast<std::uint64_t>(std::max<std::int64_t>(known.low, 0)), path + "low");
      table.count(static_cast<std::uint64_t>(std::max<std::int64_t>(known.high, 0)), path + "high");
    }
  }
  return any ? table.finish() : "<p>There were too few certain pairs to learn insert sizes from.</p>\n";
}

}  // namespace

std::string insert_size_section(const PageData& data) {
  const std::vector<Group> groups = groups_of(data);
  if (!data.paired() || groups.empty()) return {};
  std::string html;
  for (std::size_t i = 0; i < std::min(groups.size(), most_charts); ++i) html += chart_of(data, groups[i], i);
  if (groups.size() > most_charts) {
    html += fmt::format("<p>The {} read groups with most pairs are drawn, of {}.</p>\n", most_charts, groups.size());
  }
  html += "<div class=\"tables\">\n" + distributions_table(data, groups) + groups_table(data, groups) + "</div>\n";
  return section("insert-sizes", "Insert sizes", html);
}

}  // namespace warpseed::report
