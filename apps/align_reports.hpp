// The reports of a run of `align`: --json and --html, and the statistics of a shard.
#pragma once

#include <optional>

#include "align/report/coverage_map.hpp"
#include "align_flags.hpp"
#include "index/index_file.hpp"
#include "report_files.hpp"

namespace warpseed::cli {

/// The files open when this is made, and appear on commit(). Without either flag nothing is gathered. With one of them
/// a shard has the file of its statistics, too; see align::ShardStatistics.
class AlignReports {
 public:
  /// `index` must outlive the reports.
  AlignReports(const AlignFlags& flags, const index::Index& index);

  bool wanted() const { return files_.wanted(); }
  align::CoverageMap* coverage() { return coverage_ ? &*coverage_ : nullptr; }

  /// Writes and flushes the files. `context` needs the command line, read groups and duplicates; the rest is added.
  /// shard: what the run is of, if it is one.
  void write(const align::AlignStatistics& statistics, const align::ReadGroupInsertSizes& insert_sizes,
             align::ReportContext context, const std::optional<records::Shard>& shard, const report::RunFacts& facts);
  void commit();

 private:
  const index::Index& index_;
  ReportFiles files_;
  std::optional<OutputFile> shard_statistics_;
  std::optional<align::CoverageMap> coverage_;
};

}  // namespace warpseed::cli
