// warpseed align: FASTQ, SAM, BAM or CRAM in, SAM, BAM, CRAM or PAF out.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "align/pipeline/align_run.hpp"
#include "align/pipeline/run_plan.hpp"
#include "align/report/summary_text.hpp"
#include "align/select/alt_contigs.hpp"
#include "align_flags.hpp"
#include "align_lanes.hpp"
#include "align_reports.hpp"
#include "align_warnings.hpp"
#include "cli.hpp"
#include "core/background_thread.hpp"
#include "core/byte_source.hpp"
#include "core/output_file.hpp"
#include "duplicates_note.hpp"
#include "estimate/align_estimate.hpp"
#include "estimate_table.hpp"
#include "header_lines.hpp"
#include "index_path.hpp"
#include "warpseed/error.hpp"

namespace warpseed::cli {

namespace {

/// The ALT list that was given, or the one next to the index if it exists.
align::AltContigs find_alt_contigs(const index::Index& index, const AlignFlags& flags, const Logger& logger) {
  const std::string path = flags.alt_path.empty() ? align::default_alt_list_path(flags.index_path) : flags.alt_path;
  std::error_code ignored;
  if (flags.no_alt || (flags.alt_path.empty() && !std::filesystem::exists(path, ignored))) return {};
  align::AltContigs alt = align::read_alt_contigs(path, index);
  logger.note(fmt::format("{} ALT contigs by {}", alt.count, path));
  if (alt.unknown > 0) logger.note(fmt::format("{} names in {} are of no contig of the index", alt.unknown, path));
  return alt;
}

records::SamHeader header_of(const index::Index& index, const align::AltContigs& alt, const reads::ReadHeader& input,
                             const AlignFlags& flags, const Logger& logger) {
  records::SamHeader header;
  for (std::uint64_t i = 0; i < index.contig_count(); ++i) {
    header.contigs.emplace_back(index.contig_name(i), index.contig_length(i));
  }
  header.alt_contigs = alt.flags;
  header.read_group_lines = input.read_groups;
  if (flags.read_groups.size() == 1) header.read_group_lines = flags.read_groups;
  header.command_line = logger.command_line();
  header.program_lines = input.programs;
  header.comment_lines = input.comments;
  add_header_lines(flags.header_lines, header, logger);
  return header;
}

/// The tag RG by the reads' group number: -R's for all, or those of the input's header.
std::vector<std::string> group_ids(const reads::ReadHeader& input, const AlignFlags& flags) {
  if (flags.read_groups.size() == 1) return {records::read_group_id(flags.read_groups.front())};
  std::vector<std::string> ids = {""};
  for (const std::string& line : input.read_groups) ids.push_back(records::read_group_id(line));
  return ids;
}

void log_insert_sizes(const align::InsertSizeDistributions& distributions, const std::string& whose,
                      const Logger& logger) {
  if (!distributions.known()) {
    return logger.note(whose +
                       "too few certain pairs to learn the insert size from; mates were aligned as single reads");
  }
  const auto log = [&](align::Orientation seen, const char* how) {
    const align::InsertSizeDistribution& model = distributions[seen];
    if (!model.known) return;
    logger.note(fmt::format("{}insert size {:.1f} +- {:.1f}, proper from {} to {}{}", whose, model.mean,
                            model.deviation, model.low, model.high, how));
  };
  log(align::Orientation::fr, "");
  log(align::Orientation::rf, " (RF)");
  log(align::Orientation::ff, " (FF)");
  log(align::Orientation::rr, " (RR)");
}

/// Logs the time of each stage, for --verbose.
void log_stages(const align::StageTimes& times, const align::RunTimes& run, const Logger& logger) {
  for (std::size_t i = 0; i < align::align_stage_names.size(); ++i) {
    const double seconds = times.seconds(static_cast<align::AlignStage>(i));
    const double share = times.total() > 0 ? 100 * seconds / times.total() : 0;
    logger.detail(
        fmt::format("{:>9}: {:8.2f} s in all threads, {:4.1f}%", align::align_stage_names[i], seconds, share));
  }
  const auto busy = [&](align::RunStage stage) { return 100 * run.busy_share(stage); };
  for (std::size_t i = 0; i < align::run_stage_names.size(); ++i) {
    logger.detail(fmt::format("{:>9}: busy {:4.1f} % of the time", align::run_stage_names[i],
                              busy(static_cast<align::RunStage>(i))));
  }
  const double cores = 100 * run.busy_share_of_cores();
  logger.detail(fmt::format("{} host cores: busy {:.1f} % of the time", run.cores, cores));
  if (run.is_limited_by_cores()) {
    logger.detail(fmt::format("limit: host cores, busy {:.0f} % of the time", cores));
  } else {
    const align::RunStage limit = run.limit();
    logger.detail(fmt::format("limit: {}, busy {:.0f} % of the time",
                              align::run_stage_names[static_cast<std::size_t>(limit)], busy(limit)));
  }
}

void log_all_insert_sizes(const align::ReadGroupInsertSizes& insert_sizes, const std::vector<std::string>& groups,
                          const Logger& logger) {
  for (std::uint32_t group = 0; group < groups.size(); ++group) {
    const std::string name = group == 0 ? "reads without a group" : "read group " + groups[group];
    const std::string whose = groups.size() == 1 ? "" : name + ": ";
    if (insert_sizes.seen(group)) log_insert_sizes(insert_sizes.of(group), whose, logger);
  }
}

/// The backend, with the limit of its memory for aligning and sorting, and its description. A device takes a while to
/// initialise.
struct PreparedBackend {
  Backend backend;
  std::string description;

  PreparedBackend(const Common& common, std::uint64_t memory_bytes)
      : backend(limit_device_memory(common.several_devices(), memory_bytes)), description(describe(backend)) {}
};

index::Residence residence_of(const AlignFlags& flags) {
  if (flags.load) return index::Residence::loaded;
  return flags.map ? index::Residence::mapped : index::Residence::automatic;
}

/// For --estimate: what run() would take.
estimate::RunNeeds needs_of(const AlignFlags& flags, const Common& common) {
  const bool reported = !flags.json_path.empty() || !flags.html_path.empty();
  return estimate::align_run_needs(
      {flags.index_path, flags.lanes, flags.writer, flags.device_memory, reported, flags.with_comment},
      common.several_devices());
}

void warn(const std::string& warning, const Logger& logger) {
  if (!warning.empty()) logger.note(warning);
}

/// The reads, with warnings about them; warns about the header and the output's name at once.
std::unique_ptr<reads::ReadSource> watched(std::unique_ptr<reads::ReadSource> reads, const records::SamHeader& header,
                                           const AlignFlags& flags, const Logger& logger) {
  warn(output_name_warning(flags), logger);
  warn(read_group_warning(header), logger);
  return std::make_unique<WatchedReads>(std::move(reads), flags.with_comment && header.read_group_lines.empty(),
                                        [&logger](const std::string& warning) { warn(warning, logger); });
}

/// The reads of the shard that is asked for; all without one.
reads::ReadRange range_of(std::optional<records::Shard>& shard, std::uint64_t reads, const Logger& logger) {
  if (!shard) return {};
  const reads::ReadRange range = reads::part_of(reads, shard->number, shard->count);
  shard->first_read = range.first, shard->end_read = range.end, shard->reads = reads;
  logger.note(fmt::format("shard {} of {}: reads {} to {} of {}", shard->number, shard->count, range.first + 1,
                          range.end, reads));
  return range;
}

/// The lanes, whose files' bytes the meter counts.
std::vector<reads::Lane> metered_lanes(const AlignFlags& flags, const std::shared_ptr<reads::InputMeter>& meter) {
  std::vector<reads::Lane> lanes = flags.lanes;
  for (reads::Lane& lane : lanes) lane.input.meter = meter;
  return lanes;
}

/// --learn-only: a plan in place of the records.
void learn(const AlignFlags& flags, const Common& common, Logger& logger) {
  const PreparedBackend prepared(common, flags.device_memory);
  const index::Index index(flags.index_path, {residence_of(flags), common.threads});
  const align::AltContigs alt = find_alt_contigs(index, flags, logger);
  align::AlignOptions align = flags.align;
  align.alt_contigs = std::span(alt.flags);
  const auto source = reads::open_lanes(flags.lanes);
  align::Aligner aligner(index, align, source->paired(), prepared.backend, flags.device_memory);
  if (!flags.insert_sizes.empty()) aligner.set_insert_sizes(parse_insert_sizes(flags.insert_sizes, align.scoring));
  align::RunPlan plan = align::plan_of_run(index, align, flags.lanes, flags.insert_sizes);
  OutputFile out(flags.writer.path);
  align::learn(plan, flags.lanes, *source, aligner, common.threads, logger.progress());
  out.write(align::plan_text(plan));
  out.commit();
  log_all_insert_sizes(aligner.insert_sizes(), group_ids(source->header(), flags), logger);
  logger.note(fmt::format("{} reads; a part can begin at {} of them", plan.reads, plan.marks.size() + 1));
}

/// The plan that is given; none without one.
std::optional<align::RunPlan> plan_of(const AlignFlags& flags, const index::Index& index,
                                      const align::AlignOptions& align) {
  if (flags.plan_path.empty()) return {};
  align::RunPlan plan = align::read_plan(flags.plan_path, align.scoring);
  plan.require_same_run(align::plan_of_run(index, align, flags.lanes, flags.insert_sizes), flags.plan_path);
  return plan;
}

/// All of a run but the flags. The reports are on the disk before the records get their name, and get theirs after them.
align::AlignStatistics run(const AlignFlags& flags, const Common& common, Logger& logger) {
  // Reads are read, and batches prepared, while the device initialises.
  const BackgroundThread<PreparedBackend> prepared([&] { return PreparedBackend(common, flags.device_memory); });
  const bool counts = flags.writer.shard && flags.plan_path.empty();
  const BackgroundThread<std::uint64_t> counted(
      [&] { return counts ? reads::count_reads(flags.lanes) : std::uint64_t{0}; });
  std::optional<const index::Index> index(std::in_place, flags.index_path,
                                          index::MappingOptions{residence_of(flags), common.threads});
  const align::AltContigs alt = find_alt_contigs(*index, flags, logger);
  align::AlignOptions align = flags.align;
  align.alt_contigs = std::span(alt.flags);
  std::optional<BackgroundThread<std::unique_ptr<align::BatchAligner>>> batch_aligner(std::in_place, [&] {
    return align::make_batch_aligner(index->fm(), index->genome(), align, prepared.get().backend,
                                     {flags.device_memory});
  });
  const auto meter = std::make_shared<reads::InputMeter>(paths_of(flags.lanes));
  const std::vector<reads::Lane> lanes = metered_lanes(flags, meter);
  const std::optional<align::RunPlan> plan = plan_of(flags, *index, align);
  records::WriterOptions output = flags.writer;
  const reads::ReadRange range = range_of(output.shard, plan ? plan->reads : counted.get(), logger);
  const align::PlanMark* const mark = plan ? plan->mark_before(range.first) : nullptr;
  auto opened = mark ? reads::open_lanes_at(lanes, mark->position) : reads::open_lanes(lanes);
  const records::SamHeader header = header_of(*index, alt, opened->header(), flags, logger);
  const auto source = watched(std::move(opened), header, flags, logger);
  AlignReports reports(flags, *index);
  output.backend = [&prepared] { return prepared.get().backend; };
  const auto writer = records::open_alignments(header, output);
  std::optional<align::Aligner> aligner(std::in_place, *index, align, source->paired(), batch_aligner->share(),
                                        align::max_concurrent_batches(devices_named(common.backend_name)));
  if (mark) aligner->resume(plan->state_at(*mark));
  if (!flags.insert_sizes.empty())
    aligner->set_insert_sizes(parse_insert_sizes(flags.insert_sizes, flags.align.scoring));
  const align::RunOptions options = {common.threads,
                                     group_ids(source->header(), flags),
                                     flags.with_comment,
                                     reports.wanted(),
                                     reports.coverage(),
                                     meter.get(),
                                     range,
                                     mark ? mark->reads : 0,
                                     mark && mark->one_more};
  const align::RunResult result = align::run_alignment(*source, *aligner, *writer, options, logger.progress());
  logger.detail("on " + prepared.get().description);
  const align::ReadGroupInsertSizes insert_sizes = aligner->insert_sizes();
  const std::uint64_t shrunk_to = aligner->shrunk_to();
  // Gigabytes, with a device also page-locked ones, for which the merge of sorted records need not wait.
  const BackgroundThread<> ended([&] {
    result.batches_freed->get();
    aligner.reset(), batch_aligner.reset();
    if (!reports.wanted()) index.reset();
  });
  const records::DuplicateSummary duplicates = writer->flush_sorted();
  const bool marks = flags.writer.mark_duplicates && !flags.writer.shard;
  if (reports.wanted()) {
    align::ReportContext context = {logger.command_line(), options.read_groups};
    context.read_group_lines = header.read_group_lines;
    if (marks) context.duplicates = duplicates;
    reports.write(result.statistics, insert_sizes, context, output.shard,
                  run_facts(prepared.get().description, common, logger));
  }
  writer->finish();
  reports.commit();
  log_all_insert_sizes(insert_sizes, options.read_groups, logger);
  if (marks) logger.note(duplicates_note(duplicates.all));
  if (shrunk_to > 0) {
    logger.note(fmt::format("device memory ran short: from then on {} reads were aligned at a time", shrunk_to));
  }
  if (result.statistics.counts.reads == 0 && !flags.writer.shard)
    logger.note(fmt::format("warning: {} holds no reads", names_of(flags.lanes)));
  warn(few_mapped_warning(result.statistics.counts, flags.index_path), logger);
  log_stages(result.stages, result.times, logger);
  return result.statistics;
}

}  // namespace

int run_align(int argc, char** argv) {
  CLI::App app("Aligns reads to the genome of an index and writes SAM, BAM, CRAM or PAF.", "warpseed align");
  app.set_help_flag("--help", "this text");
  AlignFlags flags;
  Common common;
  add_files(app, flags);
  add_tags(app, flags);
  common.add_to(app, "--quiet");  // -q is bwa's
  add_bwa_flags(app, flags.bwa);
  add_scoring(app, flags);
  std::string help = "--help";
  if (argc == 2 && std::string_view(argv[1]) == "-h") argv[1] = help.data();  // -h takes a number
  if (!parse(app, argc, argv)) return exit_ok;
  flags.index_path = find_index(flags.index_path);
  complete(app, flags, common);

  apply_verbosity(flags.bwa, common);
  Logger logger("align", common, argc, argv);
  for (const std::string& note : flags.notes) logger.note(note);
  if (flags.estimate) {
    print_needs(needs_of(flags, common), logger);
    return exit_ok;
  }
  remove_stale_outputs(output_files(flags), logger);
  if (flags.learn_only) {
    learn(flags, common, logger);
    logger.closing();
    return exit_ok;
  }
  const align::AlignStatistics statistics = run(flags, common, logger);
  const auto form = flags.summary == "bowtie2" ? align::SummaryForm::bowtie2 : align::SummaryForm::warpseed;
  if (!common.quiet) write_to_stderr(align::summary_text(statistics.counts, form));
  if (statistics.long_reads.reads > 0) logger.note(align::long_read_summary(statistics.long_reads));
  logger.closing();
  return exit_ok;
}

}  // namespace warpseed::cli
