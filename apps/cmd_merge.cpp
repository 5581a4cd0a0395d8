// warpseed merge: makes of the shards of a run the file of one run.
#include <fmt/format.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "align/report/merged_statistics.hpp"
#include "cli.hpp"
#include "duplicates_note.hpp"
#include "records/alignment_writer.hpp"
#include "records/shard_merge.hpp"
#include "report_files.hpp"
#include "warpseed/error.hpp"

namespace warpseed::cli {

namespace {

struct MergeFlags {
  std::vector<std::string> shards;
  std::string format, json_path, html_path;
  records::WriterOptions writer;
  Common common;

  bool reported() const { return !json_path.empty() || !html_path.empty(); }
};

void add_options(CLI::App& app, MergeFlags& flags) {
  app.add_option("SHARD", flags.shards, "the files of all parts, in any order, as `warpseed align --shard` writes them")
      ->required()
      ->type_name("BAM ...");
  app.add_option("-o,--output", flags.writer.path, "output; standard output if not given")->capture_default_str();
  app.add_option("--output-format", flags.format, "sam, bam or cram; by the output's name if not given");
  app.add_option("--compression-level", flags.writer.compression_level,
                 "0 to 9, for BAM and CRAM; without it BAM is compressed faster than at level 1, to about that size")
      ->check(number_between(0, 9));
  app.add_option("--reference", flags.writer.reference_path,
                 "FASTA that CRAM is compressed against; without it CRAM holds all bases");
  app.add_option("--json", flags.json_path,
                 "file for statistics of the reads and their alignments, as `warpseed align` writes it of all reads; "
                 "needs shards that were made with --json or --html");
  app.add_option("--html", flags.html_path, "file for the same statistics as a page with plots, for a browser");
  flags.common.add_to(app);
}

std::vector<RunFile> output_files(const MergeFlags& flags) {
  const std::string& path = flags.writer.path;
  std::vector<RunFile> files = {{path}, {flags.json_path}, {flags.html_path}};
  for (const char* ending : {".bai", ".csi", ".crai"}) files.push_back({path + ending, path});
  return files;
}

std::vector<RunFile> input_files(const MergeFlags& flags) {
  std::vector<RunFile> files = {{flags.writer.reference_path}};
  for (const std::string& shard : flags.shards) {
    files.push_back({shard});
    if (flags.reported()) files.push_back({align::shard_statistics_path(shard), shard});
  }
  return files;
}

/// Checks and completes options that depend on each other.
void complete(MergeFlags& flags) {
  flags.writer.format = records::choose_format(flags.format, flags.writer.path);
  if (flags.writer.format == records::AlignmentFormat::paf) throw InputError("merge writes SAM, BAM or CRAM, not PAF");
  flags.writer.threads = flags.common.threads;
  require_distinct_files(input_files(flags), output_files(flags));
  require_cram_reference(flags.writer.reference_path);
}

/// Merges the shards. The reports are on the disk before the records get their name, and get theirs after them.
void merge_shards(MergeFlags& flags, const Logger& logger) {
  Backend backend = flags.common.backend();
  flags.writer.backend = [&] { return backend; };
  ReportFiles reports(flags.json_path, flags.html_path);
  records::ShardMerge merge(flags.shards);
  std::optional<align::MergedStatistics> statistics;
  records::RecordObserver count;
  if (reports.wanted()) {
    statistics.emplace(merge.files());
    count = [&](std::span<const bam1_t* const> records) { statistics->add(records); };
  }
  const records::DuplicateSummary duplicates = merge.write(flags.writer, logger.command_line(), count);
  if (statistics) {
    align::ReportContext context = statistics->context(logger.command_line());
    if (merge.marks_duplicates()) context.duplicates = duplicates;
    reports.write(statistics->total(), statistics->insert_sizes(), context,
                  run_facts(describe(backend), flags.common, logger));
  }
  merge.finish();
  reports.commit();
  logger.note(fmt::format("{} shards of {} reads merged", merge.shards(), merge.reads()));
  if (merge.marks_duplicates()) logger.note(duplicates_note(duplicates.all));
}

}  // namespace

int run_merge(int argc, char** argv) {
  MergeFlags flags;
  CLI::App app(
      "Merges the shards of a run into the file that `warpseed align` writes of all reads: sorted, marked and "
      "indexed as the shards ask for.",
      "warpseed merge");
  add_options(app, flags);
  if (!parse(app, argc, argv)) return exit_ok;
  complete(flags);

  Logger logger("merge", flags.common, argc, argv);
  remove_stale_outputs(output_files(flags), logger);
  merge_shards(flags, logger);
  logger.closing();
  return exit_ok;
}

}  // namespace warpseed::cli
