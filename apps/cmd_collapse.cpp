// warpseed collapse: merges identical reads or pairs into one each, with their count.
#include <fmt/format.h>

#include <optional>

#include "cli.hpp"
#include "collapse/collapse.hpp"
#include "collapse/collapse_writer.hpp"
#include "core/byte_source.hpp"
#include "core/output_file.hpp"
#include "warpseed/error.hpp"

namespace warpseed::cli {

namespace {

struct CollapseFlags {
  reads::ReadInput input;
  collapse::CollapseOptions options;
  collapse::CollapseOutput output;
  std::string format = "auto", representative = "best", order = "count";
  Common common;
};

void add_options(CLI::App& app, CollapseFlags& flags) {
  app.add_option("READS", flags.input.path1, "FASTQ, FASTA, SAM, BAM or CRAM, plain or gzip; - is standard input")
      ->required();
  app.add_option("READS2", flags.input.path2, "mates of READS, in the same order");
  app.add_flag("-p,--interleaved", flags.input.interleaved, "READS holds mates one after the other");
  app.add_option("-o,--output", flags.output.path, "file to write; - is standard output")->capture_default_str();
  app.add_option("-O,--output2", flags.output.path2,
                 "file for second mates; without it mates are written one after the other");
  app.add_option("--format", flags.format, "auto is fastq for reads with qualities, else fasta")
      ->check(CLI::IsMember({"auto", "fastq", "fasta", "tsv"}))
      ->capture_default_str();
  app.add_option("--representative", flags.representative,
                 "which of the identical ones is written: that of the best "
                 "qualities, or the first")
      ->check(CLI::IsMember({"best", "first"}))
      ->capture_default_str();
  app.add_flag("--reverse-complement", flags.options.reverse_complement,
               "a read is identical to its reverse complement, a pair to its mates swapped");
  app.add_option("--order", flags.order, "count: most frequent first; input: as they came")
      ->check(CLI::IsMember({"count", "input"}))
      ->capture_default_str();
  app.add_option("--min-count", flags.options.min_count, "write what occurs at least so often")
      ->check(number_between(1U, 0xFFFFFFFFU))
      ->capture_default_str();
  flags.common.add_to(app);
}

/// Checks and completes options that depend on each other.
void complete(CollapseFlags& flags) {
  flags.options.representative =
      flags.representative == "best" ? collapse::Representative::best : collapse::Representative::first;
  flags.options.order = flags.order == "count" ? collapse::CollapseOrder::count : collapse::CollapseOrder::input;
  if (flags.format == "tsv" && !flags.output.path2.empty())
    throw InputError("--format tsv holds both mates; leave -O out");
  require_distinct_files({{flags.input.path1}, {flags.input.path2}}, {{flags.output.path}, {flags.output.path2}});
  reads::require_two_mate_files(flags.input);
}

/// Detects an unwritable output before the work, not after.
void probe(const collapse::CollapseOutput& output) {
  const PendingFile first(output.path);
  std::optional<PendingFile> second;
  if (!output.path2.empty()) second.emplace(output.path2);
}

}  // namespace

int run_collapse(int argc, char** argv) {
  CollapseFlags flags;
  CLI::App app(
      "Merges identical reads, or pairs of identical mates, into one each; its name has their number: "
      "NAME;size=N.",
      "warpseed collapse");
  add_options(app, flags);
  if (!parse(app, argc, argv)) return exit_ok;
  complete(flags);

  Logger logger("collapse", flags.common, argc, argv);
  remove_stale_outputs({{flags.output.path}, {flags.output.path2}}, logger);
  const Backend backend = flags.common.backend();
  flags.input.with_tags = flags.input.with_read_groups = false;  // neither is written
  const auto source = reads::open_reads(flags.input);
  flags.options.paired = source->paired();
  if (!flags.options.paired && !flags.output.path2.empty()) {
    throw InputError("-O is for second mates; give pairs, or leave it out");
  }
  probe(flags.output);
  const collapse::ReadStore reads(*source, logger.progress());
  flags.output.format = collapse::choose_collapse_format(flags.format, reads);
  logger.detail(fmt::format("sorting on {}", to_string(backend)));
  const collapse::CollapseResult result = collapse::collapse(reads, flags.options, backend);
  collapse::write_collapsed(reads, flags.options.paired, result.kept, flags.output);

  const std::uint64_t units = flags.options.paired ? reads.size() / 2 : reads.size();
  std::string text =
      fmt::format("{} {}, {} distinct", units, flags.options.paired ? "pairs" : "reads", result.distinct);
  if (flags.options.min_count > 1) text += fmt::format(", {} written", result.kept.size());
  if (units == 0) logger.note(fmt::format("warning: {} holds no reads", input_name(flags.input.path1)));
  logger.note(text);
  logger.closing();
  return exit_ok;
}

}  // namespace warpseed::cli
