// The report of a run of `align` as an HTML page.
#pragma once

#include <cstdint>
#include <string>

#include "align/report/align_report.hpp"

namespace warpseed::report {

/// What is known of a run besides its statistics. All of it may differ between runs with the same result.
struct RunFacts {
  std::string backend;  // described
  int threads = 1;
  std::string date;  // when the report was made
  double wall_seconds = 0, cpu_seconds = 0;
  std::uint64_t peak_bytes = 0;
};

/// One page that loads nothing from elsewhere; readable without scripts, which add sorting, values under the pointer
/// and a switch for light and dark. The text depends only on the arguments, and takes at most some 2 MB: of the contigs
/// the 100 longest are listed, of the read groups the 12 with most pairs are drawn, positions are joined where there are
/// more than 300. Numbers that the JSON report has, too, carry the path of its member in data-json. Precondition:
/// context.coverage is not null.
std::string align_page(const align::AlignStatistics& statistics, const align::ReadGroupInsertSizes& insert_sizes,
                       const align::ReportContext& context, const RunFacts& run);

}  // namespace warpseed::report
