// The reports of a run of `align`: --json and --html.
#pragma once

#include <optional>
#include <string>

#include "align/report/align_report.hpp"
#include "align_flags.hpp"
#include "core/output_file.hpp"
#include "index/index_file.hpp"

namespace warpseed::cli {

/// The files open when this is made, and appear on commit(). Without either flag nothing is gathered.
class AlignReports {
 public:
  /// `index` must outlive the reports.
  AlignReports(const AlignFlags& flags, const index::Index& index);

  bool wanted() const { return json_ || html_; }
  align::CoverageMap* coverage() { return coverage_ ? &*coverage_ : nullptr; }

  /// Writes and flushes the files. `context` needs the command line, read groups and duplicates; the rest is added.
  void write(const align::AlignStatistics& statistics, const align::ReadGroupInsertSizes& insert_sizes,
             align::ReportContext context, const Common& common, const std::string& backend, const Logger& logger);
  void commit();

 private:
  const index::Index& index_;
  std::optional<OutputFile> json_, html_;
  std::optional<align::CoverageMap> coverage_;
};

}  // namespace warpseed::cli
