// Lengths and identities of long reads.
#include <fmt/format.h>

#include <algorithm>

#include "plot/tick_step.hpp"
#include "report/chart.hpp"
#include "report/html_text.hpp"
#include "report/sections.hpp"

namespace warpseed::report {

namespace {

using align::LongReadCounts;

/// Reads and their bases by length, in at most 100 bins of whole kilobases.
std::string length_chart(const LongReadCounts& counts) {
  const std::uint64_t longest = counts.lengths.rbegin()->first;
  const auto bin = static_cast<std::uint64_t>(plot::tick_step(static_cast<double>(longest), 100, 1000));
  const std::size_t bins = longest / bin + 1;
  Chart chart;
  chart.id = "lengths", chart.title = "Long reads by length";
  chart.x_title = "length, bases", chart.x_heading = "length",
  chart.y_title = fmt::format("reads per {} bases", count_text(bin));
  chart.x_end = static_cast<double>(bins * bin);
  Series reads{"reads", Drawing::steps, 1, std::vector<double>(bins), 0},
      bases{"bases", Drawing::listed, 1, std::vector<double>(bins), 0};
  for (const auto& [length, count] : counts.lengths) {
    reads.values[length / bin] += static_cast<double>(count);
    bases.values[length / bin] += static_cast<double>(length * count);
  }
  for (std::uint64_t begin = 0; begin < bins * bin; begin += bin) {
    chart.x.push_back(static_cast<double>(begin));
    chart.x_texts.push_back(fmt::format("{}\u2013{}", count_text(begin), count_text(begin + bin - 1)));
  }
  chart.series = {reads, bases};
  chart.marks.push_back({static_cast<double>(counts.n50()), "N50 " + count_text(counts.n50())});
  return chart_html(chart);
}

std::string identity_chart(const LongReadCounts& counts) {
  std::size_t first = 100;
  for (std::size_t i = 0; i < counts.identities.size(); ++i) {
    if (counts.identities[i] > 0) first = std::min(first, i);
  }
  first = std::min<std::size_t>(first / 5 * 5, 90);
  Chart chart;
  chart.id = "identities", chart.title = "Mapped long reads by identity";
  chart.x_heading = "identity, %";
  chart.x_title = "equal bases in the columns of the alignment, %, rounded down", chart.y_title = "reads";
  chart.x_begin = static_cast<double>(first) - 0.5, chart.x_end = 100.5;
  Series reads{"reads", Drawing::bars, 1, {}, 0};
  for (std::size_t i = first; i <= 100; ++i) {
    chart.x.push_back(static_cast<double>(i) - 0.5), chart.x_texts.push_back(std::to_string(i));
    reads.values.push_back(static_cast<double>(counts.identities[i]));
  }
  chart.series = {reads};
  return chart_html(chart);
}

}  // namespace

std::string long_read_section(const PageData& data) {
  const LongReadCounts& counts = data.statistics.long_reads;
  if (counts.reads == 0) return {};
  Table table("Single reads of more than 1,000 bases", {"", "number", "share"}, "parts");
  table.row("reads").count(counts.reads, "long_reads.reads").cell("");
  table.row("mapped reads")
      .count(counts.mapped_reads, "long_reads.mapped_reads")
      .percent(counts.mapped_reads, counts.reads);
  table.row("bases").count(counts.bases, "long_reads.bases").cell("");
  table.row("mapped bases")
      .count(counts.mapped_bases, "long_reads.mapped_bases")
      .percent(counts.mapped_bases, counts.bases);
  table.row("N50, bases").count(counts.n50(), "long_reads.n50").cell("");
  return section(
      "long-reads", "Long reads",
      "<div class=\"charts\">\n" + length_chart(counts) + identity_chart(counts) + "</div>\n" + table.finish());
}

}  // namespace warpseed::report
