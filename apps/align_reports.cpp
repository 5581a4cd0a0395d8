#include "align_reports.hpp"

#include <ctime>

#include "report/align_page.hpp"

namespace warpseed::cli {

namespace {

/// "2024-06-07 12:34:56 UTC".
std::string date_text() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[64];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &utc)};
}

}  // namespace

AlignReports::AlignReports(const AlignFlags& flags, const index::Index& index) : index_(index) {
  if (!flags.json_path.empty()) json_.emplace(flags.json_path);
  if (!flags.html_path.empty()) html_.emplace(flags.html_path);
  if (wanted()) coverage_.emplace(index.genome());
}

void AlignReports::write(const align::AlignStatistics& statistics, const align::ReadGroupInsertSizes& insert_sizes,
                         align::ReportContext context, const Common& common, const std::string& backend,
                         const Logger& logger) {
  context.index_path = index_.path();
  context.index_checksum = index_.checksum();
  for (std::uint64_t i = 0; i < index_.contig_count(); ++i) context.contig_names.emplace_back(index_.contig_name(i));
  context.coverage = coverage();
  if (json_) {
    json_->write(align::report_json(statistics, insert_sizes, context));
    json_->flush();
  }
  if (html_) {
    const RunCost cost = logger.cost();
    html_->write(report::align_page(
        statistics, insert_sizes, context,
        {backend, common.threads, date_text(), cost.wall_seconds, cost.cpu_seconds, cost.peak_bytes}));
    html_->flush();
  }
}

void AlignReports::commit() {
  if (json_) json_->commit();
  if (html_) html_->commit();
}

}  // namespace warpseed::cli
