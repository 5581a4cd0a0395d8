// The HTML report: numbers as text, charts, and whole pages of few reads.
#include <limits>

#include "catch.hpp"
#include "report/align_page.hpp"
#include "report/chart.hpp"
#include "report/html_text.hpp"
#include "text/genome.hpp"

using namespace warpseed;
using namespace warpseed::report;

namespace {

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Strings are moved in: g++ 12 warns of literals that are assigned.
Chart small_chart() {
  Chart chart;
  chart.id = std::string("c"), chart.title = std::string("Reads & <more>");
  chart.x_title = std::string("size"), chart.y_title = std::string("reads");
  chart.x = {0, 1, 2, 3}, chart.x_end = 4;
  chart.series = {{"reads", Drawing::bars, 1, {0, 5, 10, 20}, 0}};
  return chart;
}

text::Genome genome_of(std::size_t contigs, std::size_t length) {
  text::GenomeBuilder builder;
  for (std::size_t i = 0; i < contigs; ++i) {
    builder.begin_contig("c");
    builder.add(std::string(length, 'A'));
  }
  return builder.finish();
}

std::string page_of(const text::Genome& genome, bool paired) {
  align::CoverageMap coverage(genome.view());
  align::AlignStatistics statistics(true, &coverage);
  statistics.counts.paired = paired;
  align::ReportContext context;
  context.command_line = "warpseed align </script>&\"'";
  context.read_groups = {""};
  context.index_path = "a<b>.wsi";
  context.index_checksum = 0xabc;
  for (std::size_t i = 0; i < genome.contig_count(); ++i) context.contig_names.push_back("contig<" + std::to_string(i));
  context.coverage = &coverage;
  return align_page(statistics, {}, context, {"cpu", 2, "today", 1.5, 2.5, 1 << 20});
}

}  // namespace

TEST_CASE("numbers as text", "[report]") {
  CHECK(count_text(1234567) == "1,234,567");
  CHECK(decimal_text(1234.56, 1) == "1,234.6");
  CHECK(decimal_text(-0.26, 1) == "-0.3");
  CHECK(decimal_text(12, 0) == "12");
  CHECK(percent_text(1, 3) == "33.33\u00a0%");
  CHECK(percent_text(0, 0) == "\u2013");
  CHECK(ratio_text(7, 2) == "3.50");
  CHECK(short_number(0) == "0");
  CHECK(short_number(0.0005) == "0.0005");
  CHECK(short_number(9999) == "9,999");
  CHECK(short_number(20000) == "20\u00a0k");
  CHECK(short_number(1.5e6) == "1.5\u00a0M");
}

TEST_CASE("a table's cells and their positions in the JSON report", "[report]") {
  Table table("words", {"a", "b", "c"}, "sortable");
  table.row("x").count(1234, "reads.total").percent(1, 4, "coverage.covered_share");
  const std::string html = table.finish();
  CHECK(has(html, "<caption>words</caption>"));
  CHECK(has(html, "<tr><th scope=\"row\">x</th><td data-json=\"reads.total\" data-value=\"1234\">1,234</td>"));
  CHECK(has(html, "<td data-json=\"coverage.covered_share\" data-value=\"0.25\">25.00\u00a0%</td></tr>"));
}

TEST_CASE("a chart has round ticks, its numbers in a table and no markup from names", "[report]") {
  const std::string html = chart_html(small_chart());
  for (const char* tick : {">0<", ">5<", ">10<", ">15<", ">20<"}) CHECK(has(html, tick));
  CHECK(has(html, "Reads &amp; &lt;more&gt;"));
  CHECK_FALSE(has(html, "<more>"));
  CHECK(has(html, "<tr data-x=\"62.5\"><th scope=\"row\">2</th><td>10</td></tr>"));
  // From the bottom to half of 300, with 8 % of the slot free at both sides.
  CHECK(has(html, "M520 300V150H730V300Z"));
}

TEST_CASE("lines break where there is no value; large values are cut off", "[report]") {
  Chart chart = small_chart();
  const double none = std::numeric_limits<double>::quiet_NaN();
  chart.series = {{"a", Drawing::line, 1, {0, none, 10, 20}, 0}};
  chart.y_end = 10;
  const std::string html = chart_html(chart);
  CHECK(has(html, "d=\"M0 300M500 0L750 0\""));
  CHECK(has(html, "<td>\u2013</td>"));
}

TEST_CASE("a logarithmic axis has a place for zero and one", "[report]") {
  Chart chart = small_chart();
  chart.logarithmic = true;
  chart.series[0].values = {0, 1, 10, 99};
  const std::string html = chart_html(chart);
  for (const char* tick : {">0<", ">1<", ">10<", ">100<"}) CHECK(has(html, tick));
  CHECK(count_of(html, "300V") == 3);  // no bar for zero, but one for 1
}

TEST_CASE("charts of nothing", "[report]") {
  Chart chart = small_chart();
  chart.x.clear(), chart.series[0].values.clear();
  CHECK(has(chart_html(chart), "<tbody>\n</tbody>"));
  CHECK(has(sparkline({}, 0), "<svg"));
  CHECK_FALSE(has(sparkline({std::numeric_limits<double>::quiet_NaN()}, 1), "<path"));
}

TEST_CASE("a page of no reads", "[report]") {
  for (const bool paired : {false, true}) {
    const std::string page = page_of(genome_of(1, 50), paired);
    CHECK(has(page, "warpseed align &lt;/script&gt;&amp;&quot;&#39;"));
    CHECK(count_of(page, "</script>") == 1);
    CHECK(has(page, "contig&lt;0"));
    CHECK(has(page, "a&lt;b&gt;.wsi"));
    CHECK(has(page, "00000abc"));
    CHECK_FALSE(has(page, "insert-sizes"));
    CHECK(count_of(page, "href=\"#") == count_of(page, "<section "));
  }
}

TEST_CASE("of many contigs the longest are listed and the others added up", "[report]") {
  const std::string page = page_of(genome_of(3000, 70), false);
  CHECK(count_of(page, "coverage.contigs.") == 100 * 5);
  CHECK(has(page, "2,900 shorter ones</th><td>203,000</td>"));
  CHECK(page.size() < 500'000);
}
