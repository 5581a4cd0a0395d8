// The parts of the report of `align`; private to the module. Each is HTML, empty where the run has nothing to show.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/align_page.hpp"

namespace warpseed::report {

/// What the parts are made from.
struct PageData {
  const align::AlignStatistics& statistics;
  const align::ReadGroupInsertSizes& insert_sizes;
  const align::ReportContext& context;
  const RunFacts& run;
  std::vector<align::CoverageWindow> windows;  // by contig and position
  std::vector<align::CoverageWindow> contigs;  // their sums
  align::CoverageWindow genome;                // and of all

  bool paired() const { return statistics.counts.paired; }
};

std::string key_numbers(const PageData& data);
std::string fate_section(const PageData& data);
std::string library_section(const PageData& data);  // duplicates by library
std::string mapping_quality_section(const PageData& data);
std::string insert_size_section(const PageData& data);
std::string base_section(const PageData& data);  // qualities, GC content
std::string difference_section(const PageData& data);
std::string coverage_section(const PageData& data);
std::string long_read_section(const PageData& data);
std::string run_section(const PageData& data);

/// Adjacent positions that are joined so that a chart of `positions` has at most `most` points.
std::size_t joined_positions(std::size_t positions, std::size_t most = 300);

/// "57", or "401-500" where several are joined, counted from 1. [points]
std::vector<std::string> position_texts(std::size_t positions, std::size_t joined);

}  // namespace warpseed::report
