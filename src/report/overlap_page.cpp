#include "report/overlap_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <span>

#include "core/json_text.hpp"
#include "report/html_text.hpp"
#include "report/page_assets.hpp"
#include "report/page_frame.hpp"

namespace warpseed::report {

namespace {

constexpr std::size_t listed_regions = 50;  // without scripts

std::string side_text(const text::SequenceList& list) {
  std::uint64_t bases = 0;
  for (const text::SequenceInfo& sequence : list.sequences) bases += sequence.length;
  const std::string name = list.files.empty() ? "" : std::filesystem::path(list.files.front()).filename().string();
  return fmt::format("{}{}: {} sequence{}, {} bases", escaped(name),
                     list.files.size() > 1 ? fmt::format(" and {} more", list.files.size() - 1) : "",
                     count_text(list.sequences.size()), list.sequences.size() == 1 ? "" : "s", count_text(bases));
}

/// JSON within HTML: a string must not end the script.
std::string script_string(std::string_view text) {
  std::string out;
  for (const char letter : json_string(text)) {
    if (letter == '<' || letter == '>' || letter == '&') {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(letter));
    } else {
      out += letter;
    }
  }
  return out;
}

void add_sequences(const text::SequenceList& list, fmt::memory_buffer& out) {
  for (std::size_t i = 0; i < list.sequences.size(); ++i) {
    const text::SequenceInfo& sequence = list.sequences[i];
    fmt::format_to(std::back_inserter(out), "{}[{},{}]", i == 0 ? "" : ",", script_string(sequence.name),
                   sequence.length);
  }
}

/// What the script draws from: sequences as [name, length], regions as [target, begin, query, begin, length, reverse].
std::string data_of(const plot::DotPlot& plot, std::span<const CommonRegion> regions) {
  fmt::memory_buffer out;
  const auto add = std::back_inserter(out);
  fmt::format_to(add, "{{\"symmetric\":{},\"targets\":[", plot.options().symmetric);
  add_sequences(plot.targets(), out);
  fmt::format_to(add, "],\"queries\":[");
  add_sequences(plot.queries(), out);
  fmt::format_to(add, "],\"regions\":[");
  for (std::size_t i = 0; i < regions.size(); ++i) {
    const CommonRegion& region = regions[i];
    fmt::format_to(add, "{}[{},{},{},{},{},{}]", i == 0 ? "" : ",", region.target, region.target_begin, region.query,
                   region.query_begin, region.length, region.reverse ? 1 : 0);
  }
  fmt::format_to(add, "]}}");
  return fmt::to_string(out);
}

std::string range_text(const text::SequenceList& list, std::uint32_t sequence, std::uint64_t begin,
                       std::uint64_t length) {
  return fmt::format("{}:{}\u2013{}", escaped(list.sequences[sequence].name), count_text(begin + 1),
                     count_text(begin + length));
}

std::string longest_table(const plot::DotPlot& plot, std::span<const CommonRegion> regions) {
  Table table(fmt::format("The longest {} matches", regions.size()), {"length", "strand", "target", "query"},
              "sortable matches");
  for (const CommonRegion& region : regions) {
    table.row(count_text(region.length)).cell(region.reverse ? "\u2212" : "+");
    table.cell(range_text(plot.targets(), region.target, region.target_begin, region.length));
    table.cell(range_text(plot.queries(), region.query, region.query_begin, region.length));
  }
  return table.finish();
}

std::string detail_frame() {
  return R"(<div id="detail" hidden="hidden">
<h2>A part of it</h2>
<p class="note">Drag over either plot to look at a part. Keys: + and &#8722;, arrows.</p>
<p class="tools"><button type="button" id="out">Zoom out</button> <button type="button" id="whole">Whole</button>
<span id="where" role="status"></span></p>
<p class="y-title">query</p>
<div class="plot square" id="part" role="img" tabindex="0"
  aria-label="The matches of a part of the plot; they are listed in the table below."></div>
<p class="x-title">target</p>
</div>
)";
}

}  // namespace

std::string overlap_page(plot::DotPlot& plot, std::string_view command_line) {
  const std::vector<CommonRegion> regions = plot.drawn_regions();
  const std::span<const CommonRegion> listed = std::span(regions).first(std::min(regions.size(), listed_regions));
  std::string svg = plot.svg();
  svg.erase(0, svg.find("<svg"));
  std::string page = page_head("warpseed overlap", {report_css, report_js, overlap_js});
  page += page_title("Matches",
                     fmt::format("{}{}", side_text(plot.targets()),
                                 plot.options().symmetric ? ", with itself" : " \u00b7 " + side_text(plot.queries())));
  page += "</header>\n\n<main>\n<div class=\"dots\">\n<div>\n<figure class=\"overview\" id=\"overview\">\n" + svg +
          "</figure>\n";
  if (regions.size() < plot.region_count()) {
    page += fmt::format(
        "<p class=\"note\">The longest {} of {} matches are drawn as lines and can be listed; the others "
        "are shown as cells, the darker the more they are.</p>\n",
        count_text(regions.size()), count_text(plot.region_count()));
  }
  page += "</div>\n" + detail_frame() + "</div>\n<section id=\"list\" aria-label=\"Matches\">\n" +
          longest_table(plot, listed);
  page += "</section>\n<section id=\"run\" aria-labelledby=\"run-title\">\n<h2 id=\"run-title\">Run</h2>\n<p><code>" +
          escaped(command_line) + "</code></p>\n</section>\n";
  page += "<script type=\"application/json\" id=\"matches\">" + data_of(plot, regions) + "</script>\n";
  return page + page_end();
}

}  // namespace warpseed::report
