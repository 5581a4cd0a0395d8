// The files of --json and --html.
#pragma once

#include <optional>
#include <string>

#include "align/report/align_report.hpp"
#include "cli.hpp"
#include "core/output_file.hpp"
#include "report/align_page.hpp"

namespace warpseed::cli {

/// Of this process until now. backend: described.
report::RunFacts run_facts(const std::string& backend, const Common& common, const Logger& logger);

/// The files open when this is made, and appear on commit().
class ReportFiles {
 public:
  /// An empty path: no such file.
  ReportFiles(const std::string& json_path, const std::string& html_path);

  bool wanted() const { return json_ || html_; }

  /// Writes and flushes the files.
  void write(const align::AlignStatistics& statistics, const align::ReadGroupInsertSizes& insert_sizes,
             const align::ReportContext& context, const report::RunFacts& facts);
  void commit();

 private:
  std::optional<OutputFile> json_, html_;
};

}  // namespace warpseed::cli
