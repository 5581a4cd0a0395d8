#include "report_files.hpp"

#include <ctime>

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

report::RunFacts run_facts(const std::string& backend, const Common& common, const Logger& logger) {
  const RunCost cost = logger.cost();
  return {backend, common.threads, date_text(), cost.wall_seconds, cost.cpu_seconds, cost.peak_bytes};
}

ReportFiles::ReportFiles(const std::string& json_path, const std::string& html_path) {
  if (!json_path.empty()) json_.emplace(json_path);
  if (!html_path.empty()) html_.emplace(html_path);
}

void ReportFiles::write(const align::AlignStatistics& statistics, const align::ReadGroupInsertSizes& insert_sizes,
                        const align::ReportContext& context, const report::RunFacts& facts) {
  if (json_) {
    json_->write(align::report_json(statistics, insert_sizes, context));
    json_->flush();
  }
  if (html_) {
    html_->write(report::align_page(statistics, insert_sizes, context, facts));
    html_->flush();
  }
}

void ReportFiles::commit() {
  if (json_) json_->commit();
  if (html_) html_->commit();
}

}  // namespace warpseed::cli
