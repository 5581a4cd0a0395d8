#include "align_reports.hpp"

#include "align/report/shard_statistics.hpp"

namespace warpseed::cli {

AlignReports::AlignReports(const AlignFlags& flags, const index::Index& index)
    : index_(index), files_(flags.json_path, flags.html_path) {
  if (!wanted()) return;
  coverage_.emplace(index.genome());
  if (flags.writer.shard) shard_statistics_.emplace(align::shard_statistics_path(flags.writer.path));
}

void AlignReports::write(const align::AlignStatistics& statistics, const align::ReadGroupInsertSizes& insert_sizes,
                         align::ReportContext context, const std::optional<records::Shard>& shard,
                         const report::RunFacts& facts) {
  const align::ReferenceLayout reference(index_);
  context.index_path = index_.path();
  context.index_checksum = index_.checksum();
  context.contig_names = reference.contig_names;
  context.coverage = coverage();
  files_.write(statistics, insert_sizes, context, facts);
  if (!shard_statistics_) return;
  shard_statistics_->write(
      align::packed({*shard, context.command_line, context.read_groups, context.read_group_lines, context.index_path,
                     context.index_checksum, reference, align::distributions_of(insert_sizes), statistics}));
  shard_statistics_->flush();
}

void AlignReports::commit() {
  if (shard_statistics_) shard_statistics_->commit();
  files_.commit();
}

}  // namespace warpseed::cli
