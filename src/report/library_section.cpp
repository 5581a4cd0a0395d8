// Duplicates by library.
#include <fmt/format.h>

#include <algorithm>

#include "report/html_text.hpp"
#include "report/sections.hpp"

namespace warpseed::report {

namespace {

constexpr std::size_t most_libraries = 100;  // that are listed

/// A row. path: of the library in the JSON report, with a full stop.
void add_library(Table& table, const records::LibraryDuplicates& library, const std::string& path) {
  const auto json = [&](const char* member) { return path + member; };
  table.row(escaped(library.library));
  table.count(library.pairs(), json("read_pairs_examined"));
  table.count(library.pair_duplicates(), json("pair_duplicates"));
  table.count(library.compared.single, json("unpaired_reads_examined"));
  table.count(library.compared.single_marked, json("unpaired_duplicates"));
  table.percent(library.compared.marked(), library.compared.compared(), json("duplicate_share"));
  if (const auto size = library.estimated_size()) {
    table.count(*size, json("estimated_library_size"));
  } else {
    table.cell("\u2013");
  }
  table.count(library.unmapped, json("unmapped"));
  table.count(library.qc_failed, json("qc_failed"));
  table.count(library.non_primary, json("secondary_or_supplementary"));
}

}  // namespace

std::string library_section(const PageData& data) {
  if (!data.context.duplicates || data.context.duplicates->libraries.empty()) return {};
  const auto& libraries = data.context.duplicates->libraries;
  Table table("Duplicates by library",
              {"library", "pairs", "duplicate pairs", "single reads", "duplicate singles", "share", "library size",
               "unmapped", "failed", "secondary, supplementary"},
              "sortable");
  const std::size_t listed = std::min(libraries.size(), most_libraries);
  for (std::size_t i = 0; i < listed; ++i) {
    add_library(table, libraries[i], fmt::format("duplicates.libraries.{}.", i));
  }
  std::string words =
      "<p>A library is LB of the read group. Counted are mapped reads that passed the filters, single if the mate is "
      "not "
      "mapped; then what is not compared. Reads of different libraries are compared, too. The library\u2019s size, in "
      "fragments, is estimated from its pairs and their duplicates, optical ones included.</p>\n";
  if (listed < libraries.size()) {
    words += fmt::format("<p>The first {} of {} libraries; the JSON report has all.</p>\n", listed,
                         count_text(libraries.size()));
  }
  return section("duplicates", "Duplicates", words + table.finish());
}

}  // namespace warpseed::report
