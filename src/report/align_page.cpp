#include "report/align_page.hpp"

#include <fmt/format.h>

#include "report/html_text.hpp"
#include "report/page_assets.hpp"
#include "report/sections.hpp"
#include "warpseed/version.hpp"

namespace warpseed::report {

namespace {

/// XML and HTML alike: what looks like markup in it is hidden from an XML parser, and HTML takes it as it is.
std::string style_and_script() {
  return fmt::format("<style>\n{}</style>\n<script>\n//<![CDATA[\n{}//]]>\n</script>\n", report_css, report_js);
}

std::string head(const PageData& data) {
  return fmt::format(
      "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>warpseed align: {}</title>\n{}"
      "</head>\n<body>\n",
      escaped(data.context.index_path), style_and_script());
}

/// A link per section that the page has.
std::string links(const std::vector<std::pair<std::string_view, std::string>>& sections) {
  std::string html;
  for (const auto& [name, content] : sections) {
    if (content.empty()) continue;
    const std::size_t begin = content.find("id=\"") + 4;
    html += fmt::format("<a href=\"#{}\">{}</a>\n", content.substr(begin, content.find('"', begin) - begin), name);
  }
  return "<nav aria-label=\"Sections\">\n" + html + "</nav>\n";
}

std::string header(const PageData& data) {
  return fmt::format(
      "<header>\n<div class=\"title\">\n<h1>Alignment report</h1>\n<p class=\"run-line\">warpseed align {} \u00b7 {} "
      "\u00b7 "
      "{}</p>\n</div>\n<button type=\"button\" id=\"theme\" hidden=\"hidden\" aria-pressed=\"false\">Dark</button>\n",
      version, escaped(data.context.index_path), escaped(data.run.date));
}

}  // namespace

std::string run_section(const PageData& data) {
  const align::ReportContext& context = data.context;
  std::string html;
  const auto fact = [&](std::string_view name, const std::string& value) {
    html += fmt::format("<dt>{}</dt>\n<dd>{}</dd>\n", name, value);
  };
  fact("Program", fmt::format("warpseed {}", version));
  fact("Command", "<code id=\"command\">" + escaped(context.command_line) + "</code>");
  fact("Backend", escaped(data.run.backend));
  fact("CPU threads", std::to_string(data.run.threads));
  fact("Reference", fmt::format("<code>{}</code>, checksum <code>{:08x}</code>", escaped(context.index_path),
                                context.index_checksum));
  fact("Contigs", count_text(context.coverage->contig_count()));
  fact("Bases", fmt::format("{}, of these {} that are not N", count_text(context.coverage->genome_bases()),
                            count_text(data.genome.known_bases)));
  fact("Date", escaped(data.run.date));
  fact("Time", fmt::format("{}\u00a0s, {}\u00a0s of CPU time", decimal_text(data.run.wall_seconds, 1),
                           decimal_text(data.run.cpu_seconds, 1)));
  fact("Peak memory", decimal_text(static_cast<double>(data.run.peak_bytes) / (1024.0 * 1024.0), 1) + "\u00a0MiB");
  return section("run", "Run", "<dl class=\"facts\">\n" + html + "</dl>\n");
}

std::string align_page(const align::AlignStatistics& statistics, const align::ReadGroupInsertSizes& insert_sizes,
                       const align::ReportContext& context, const RunFacts& run) {
  PageData data = {statistics, insert_sizes, context, run, context.coverage->windows(statistics.window_bases), {}, {}};
  data.contigs = align::by_contig(data.windows);
  for (const align::CoverageWindow& contig : data.contigs) data.genome += contig;
  const std::vector<std::pair<std::string_view, std::string>> sections = {
      {"Reads", fate_section(data)},
      {"Mapping quality", mapping_quality_section(data)},
      {"Insert sizes", insert_size_section(data)},
      {"Long reads", long_read_section(data)},
      {"Bases", base_section(data)},
      {"Differences", difference_section(data)},
      {"Coverage", coverage_section(data)},
      {"Run", run_section(data)},
  };
  std::string page = head(data) + header(data) + links(sections) + "</header>\n\n<main>\n" + key_numbers(data);
  for (const auto& [name, content] : sections) page += content;
  return page + "</main>\n<div id=\"values\" role=\"status\" hidden=\"hidden\"></div>\n</body>\n</html>\n";
}

}  // namespace warpseed::report
