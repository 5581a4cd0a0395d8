// The statistics of a run of `align` as JSON.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "align/pair/read_group_insert_sizes.hpp"
#include "align/report/align_statistics.hpp"
#include "records/library_duplicates.hpp"

namespace warpseed::align {

/// Of the JSON report; grows when members change their meaning or go, not when they are added.
constexpr int json_schema_version = 1;

/// By number; see Orientation.
constexpr std::array<std::string_view, orientation_count> orientation_names = {"FF", "FR", "RF", "RR"};

/// Context of the report in addition to the counts.
struct ReportContext {
  std::string command_line;
  std::vector<std::string> read_groups;  // IDs by number; number 0 is for reads without one, an empty ID for none
  std::optional<records::DuplicateSummary> duplicates = {};  // if they were marked
  std::vector<std::string> read_group_lines = {};            // "@RG\tID:..."
  std::string index_path = {};
  std::uint32_t index_checksum = 0;
  std::vector<std::string> contig_names = {};
  const CoverageMap* coverage = nullptr;  // null: no report of the reference and its coverage
};

/// One JSON object; the manual page describes its members. Rates have six digits, null where nothing was counted. The
/// text depends only on the arguments.
std::string report_json(const AlignStatistics& statistics, const ReadGroupInsertSizes& insert_sizes,
                        const ReportContext& context);

}  // namespace warpseed::align
