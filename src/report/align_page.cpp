#include "report/align_page.hpp"

#include <fmt/format.h>

#include "report/html_text.hpp"
#include "report/page_assets.hpp"
#include "report/page_frame.hpp"
#include "report/sections.hpp"
#include "warpseed/version.hpp"

namespace warpseed::report {

namespace {

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
      {"Duplicates", library_section(data)},
      {"Mapping quality", mapping_quality_section(data)},
      {"Insert sizes", insert_size_section(data)},
      {"Long reads", long_read_section(data)},
      {"Bases", base_section(data)},
      {"Differences", difference_section(data)},
      {"Coverage", coverage_section(data)},
      {"Run", run_section(data)},
  };
  std::string page = page_head("warpseed align: " + context.index_path, {report_css, report_js});
  page += page_title("Alignment report", fmt::format("warpseed align {} \u00b7 {} \u00b7 {}", version,
                                                     escaped(context.index_path), escaped(run.date)));
  page += links(sections) + "</header>\n\n<main>\n" + key_numbers(data);
  for (const auto& [name, content] : sections) page += content;
  return page + page_end();
}

}  // namespace warpseed::report
