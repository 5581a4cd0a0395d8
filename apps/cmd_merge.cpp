// warpseed merge: makes of the shards of a run the file of one run.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "cli.hpp"
#include "duplicates_note.hpp"
#include "records/alignment_writer.hpp"
#include "records/shard_merge.hpp"
#include "warpseed/error.hpp"

namespace warpseed::cli {

namespace {

struct MergeFlags {
  std::vector<std::string> shards;
  std::string format;
  records::WriterOptions writer;
  Common common;
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
  flags.common.add_to(app);
}

std::vector<RunFile> output_files(const records::WriterOptions& writer) {
  std::vector<RunFile> files = {{writer.path}};
  for (const char* ending : {".bai", ".csi", ".crai"}) files.push_back({writer.path + ending, writer.path});
  return files;
}

/// Checks and completes options that depend on each other.
void complete(MergeFlags& flags) {
  flags.writer.format = records::choose_format(flags.format, flags.writer.path);
  if (flags.writer.format == records::AlignmentFormat::paf) throw InputError("merge writes SAM, BAM or CRAM, not PAF");
  flags.writer.threads = flags.common.threads;
  std::vector<RunFile> inputs = {{flags.writer.reference_path}};
  for (const std::string& shard : flags.shards) inputs.push_back({shard});
  require_distinct_files(inputs, output_files(flags.writer));
  require_cram_reference(flags.writer.reference_path);
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
  remove_stale_outputs(output_files(flags.writer), logger);
  const Backend backend = flags.common.backend();
  flags.writer.backend = [&] { return backend; };
  records::ShardMerge merge(flags.shards);
  const records::DuplicateSummary duplicates = merge.write(flags.writer, logger.command_line());
  logger.note(fmt::format("{} shards of {} reads merged", merge.shards(), merge.reads()));
  if (merge.marks_duplicates()) logger.note(duplicates_note(duplicates.all));
  logger.closing();
  return exit_ok;
}

}  // namespace warpseed::cli
