// The statistics of a run of `align` as JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "align/pair/read_group_insert_sizes.hpp"
#include "align/report/align_statistics.hpp"
#include "records/duplicate_counts.hpp"

namespace warpseed::align {

/// Context of the report in addition to the counts.
struct ReportContext {
  std::string command_line;
  std::vector<std::string> read_groups;  // IDs by number; number 0 is for reads without one, an empty ID for none
  std::optional<records::DuplicateCounts> duplicates = {};  // if they were marked
};

/// One JSON object; the manual page describes its members. Rates have six digits, null where nothing was counted. The
/// text depends only on the arguments.
std::string report_json(const AlignStatistics& statistics, const ReadGroupInsertSizes& insert_sizes,
                        const ReportContext& context);

}  // namespace warpseed::align
