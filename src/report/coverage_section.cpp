// Depth along the genome, and coverage by contig.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "plot/plot_axis.hpp"
#include "report/chart.hpp"
#include "report/html_text.hpp"
#include "report/sections.hpp"

namespace warpseed::report {

namespace {

using align::CoverageWindow;

constexpr std::size_t most_contigs = 100;             // that are listed
constexpr double axis_units = 1000;                   // of the plot's width
constexpr double narrow_room = 220, wide_room = 105;  // of a name, on the narrowest pages and on wide ones

double depth_of(const CoverageWindow& window) {
  if (window.known_bases == 0) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(window.aligned_bases) / static_cast<double>(window.known_bases);
}

/// Indices of the longest contigs, in the genome's order.
std::vector<std::size_t> listed_contigs(const std::vector<CoverageWindow>& contigs) {
  std::vector<std::size_t> order(contigs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return contigs[a].end > contigs[b].end; });
  order.resize(std::min(order.size(), most_contigs));
  std::sort(order.begin(), order.end());
  return order;
}

/// The windows of one contig.
std::vector<CoverageWindow> windows_of(const PageData& data, std::uint32_t contig) {
  const auto before = [](const CoverageWindow& window, std::uint32_t number) { return window.contig < number; };
  const auto first = std::lower_bound(data.windows.begin(), data.windows.end(), contig, before);
  return {first, std::lower_bound(first, data.windows.end(), contig + 1, before)};
}

/// A depth that most windows with reads do not exceed by far: collapsed repeats may have thousands of times as much.
double depth_end(const std::vector<CoverageWindow>& windows) {
  std::vector<double> depths;
  for (const CoverageWindow& window : windows) {
    if (window.known_bases > 0 && window.aligned_bases > 0) depths.push_back(depth_of(window));
  }
  if (depths.empty()) return 1;
  std::sort(depths.begin(), depths.end());
  const double high = depths[(depths.size() - 1) * 95 / 100];
  return std::min(depths.back(), 2.5 * high);
}

/// Names of contigs where they have room, or positions if there is one contig.
std::vector<AxisLabel> genome_labels(const plot::PlotAxis& axis) {
  std::vector<AxisLabel> labels;
  if (axis.list().sequences.size() == 1) {
    const auto ticks = axis.ticks();
    const double per_unit = static_cast<double>(axis.total()) / axis.pixels();
    for (std::size_t i = 0; i < ticks.size(); ++i)
      labels.push_back({ticks[i].pixel * per_unit, ticks[i].label, i % 2 == 0});
    return labels;
  }
  std::vector<double> taken;
  const auto add = [&](std::size_t i, bool important) {
    const double middle = axis.begin_pixel(i) + axis.width(i) / 2;
    for (const double other : taken) {
      if (std::abs(other - middle) < wide_room) return;
    }
    taken.push_back(middle);
    const std::string& name = axis.list().sequences[i].name;
    const double at = static_cast<double>(axis.offset(static_cast<std::uint32_t>(i), 0)) +
                      static_cast<double>(axis.list().sequences[i].length) / 2;
    labels.push_back({at, name.size() > 10 ? name.substr(0, 9) + "\u2026" : name, important});
  };
  for (const std::size_t i : axis.named(narrow_room)) {
    const double end = axis.begin_pixel(i) + axis.width(i) / 2 + narrow_room / 2;
    add(i, end < axis_units + 40);  // the page's margin has room for some of a name
  }
  for (const std::size_t i : axis.named(wide_room)) add(i, false);
  return labels;
}

std::string window_text(const std::string& name, const CoverageWindow& window) {
  return fmt::format("{}:{}\u2013{}", name, count_text(window.begin + 1), count_text(window.end));
}

std::string genome_chart(const PageData& data, const std::vector<std::size_t>& listed) {
  text::SequenceList list;
  for (const std::size_t i : listed) {
    list.sequences.push_back({data.context.contig_names.at(data.contigs[i].contig), data.contigs[i].end, 0});
  }
  const plot::PlotAxis axis(list, axis_units);
  Chart chart;
  chart.id = "depth",
  chart.title = "Mean depth in windows of " + count_text(data.context.coverage->window_bases()) + " bases";
  chart.x_title = listed.size() == 1 ? list.sequences.front().name : "contigs in their order";
  chart.x_heading = "window", chart.y_title = "depth", chart.wide = true;
  chart.x_end = static_cast<double>(std::max<std::uint64_t>(axis.total(), 1));
  Series depth{"depth", Drawing::steps, 1, {}, 2}, covered{"covered, %", Drawing::listed, 1, {}, 2};
  bool gaps = false;
  for (std::uint32_t k = 0; k < listed.size(); ++k) {
    const auto contig_begin = static_cast<double>(axis.offset(k, 0));
    if (k % 2 == 1)
      chart.shaded.push_back({contig_begin, contig_begin + static_cast<double>(list.sequences[k].length), "stripe"});
    for (const CoverageWindow& window : windows_of(data, data.contigs[listed[k]].contig)) {
      const auto begin = static_cast<double>(axis.offset(k, window.begin)),
                 end = static_cast<double>(axis.offset(k, window.end));
      chart.x.push_back(begin), chart.x_texts.push_back(window_text(list.sequences[k].name, window));
      depth.values.push_back(depth_of(window));
      const bool unknown = window.known_bases == 0;
      covered.values.push_back(unknown ? std::nan("")
                                       : 100 * static_cast<double>(window.covered_bases) /
                                             static_cast<double>(window.known_bases));
      gaps = gaps || unknown;
      if (unknown) chart.shaded.push_back({begin, end, "gap"});
    }
  }
  const double largest = *std::max_element(depth.values.begin(), depth.values.end(), [](double a, double b) {
    return (std::isnan(a) ? -1 : a) < (std::isnan(b) ? -1 : b);
  });
  chart.y_end = depth_end(data.windows);
  if (largest > chart.y_end)
    chart.note = "Larger depths are cut off; the largest is " + decimal_text(largest, 1) + ". ";
  if (listed.size() < data.contigs.size())
    chart.note += fmt::format("The {} longest of {} contigs. ", listed.size(), count_text(data.contigs.size()));
  if (gaps) chart.note += "Grey: parts without known bases.";
  chart.series = {depth, covered};
  chart.x_labels = genome_labels(axis);
  return chart_html(chart);
}

/// The cells of a row but its heading. path: of the contig in the JSON report, with a full stop; empty for none.
void add_contig(Table& table, const CoverageWindow& sums, const std::string& path, const std::string& drawing) {
  const auto json = [&](const char* member) { return path.empty() ? path : path + member; };
  table.count(sums.end, json("length"));
  table.ratio(sums.aligned_bases, sums.known_bases, json("mean_depth"));
  table.percent(sums.covered_bases, sums.known_bases, json("covered_share"));
  table.cell(drawing);
  table.count(sums.known_bases, json("known_bases")).count(sums.aligned_bases, json("aligned_bases"));
}

std::string contigs_table(const PageData& data, const std::vector<std::size_t>& listed) {
  Table table("Coverage by contig",
              {"contig", "length", "mean depth", "covered", "depth along it", "known bases", "aligned bases"},
              "sortable");
  const double y_end = depth_end(data.windows);
  std::vector<bool> is_listed(data.contigs.size());
  for (const std::size_t i : listed) {
    is_listed[i] = true;
    const CoverageWindow& sums = data.contigs[i];
    table.row(escaped(data.context.contig_names.at(sums.contig)));
    std::vector<double> depths;
    for (const CoverageWindow& window : windows_of(data, sums.contig)) depths.push_back(depth_of(window));
    add_contig(table, sums, fmt::format("coverage.contigs.{}.", i), sparkline(depths, y_end));
  }
  CoverageWindow others;
  for (std::size_t i = 0; i < data.contigs.size(); ++i) {
    if (is_listed[i]) continue;
    others += data.contigs[i];
    others.end += data.contigs[i].end;
  }
  if (listed.size() < data.contigs.size()) {
    table.row(fmt::format("{} shorter ones", count_text(data.contigs.size() - listed.size())), " class=\"last\"");
    add_contig(table, others, "", "");
  }
  return table.finish();
}

}  // namespace

std::string coverage_section(const PageData& data) {
  if (data.contigs.empty()) return {};
  const std::vector<std::size_t> listed = listed_contigs(data.contigs);
  const std::string words =
      "<p>Aligned bases of primary and supplementary records over the bases of the genome that are not N, duplicates "
      "and "
      "repeated reads included. A base is covered if at least one read has a base aligned to it.</p>\n";
  return section("coverage", "Coverage", words + genome_chart(data, listed) + contigs_table(data, listed));
}

}  // namespace warpseed::report
