// warpseed align: FASTQ, SAM, BAM or CRAM in, SAM, BAM or CRAM out.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>
#include <optional>

#include "align/pair/insert_size_distribution.hpp"
#include "align/pipeline/align_run.hpp"
#include "align/report/align_report.hpp"
#include "align/select/alt_contigs.hpp"
#include "cli.hpp"
#include "core/background_thread.hpp"
#include "core/byte_source.hpp"
#include "core/error.hpp"
#include "core/memory.hpp"
#include "core/output_file.hpp"

namespace warpseed::cli {

namespace {

/// All options of the command line, as given.
struct AlignFlags {
  std::string index_path, alt_path, format, read_group, reference, insert_sizes, json_path;
  reads::ReadInput input;
  records::WriterOptions writer;
  align::AlignOptions align;
  std::string open = "6", extend = "1", clip = "5", alternatives = "5,200";
  std::optional<std::uint64_t> sort_memory;
  std::uint64_t device_memory = 0;
  bool with_comment = false, no_alt = false, no_rescue = false, no_pairing = false;
};

/// Parses "6" or "6,7": one number for both, or one each, of at most `most`.
std::pair<std::int32_t, std::int32_t> one_or_two(const std::string& flag, const std::string& text, std::int32_t most) {
  std::int32_t first = 0, second = 0;
  const char* end = text.data() + text.size();
  auto parsed = std::from_chars(text.data(), end, first);
  bool ok = parsed.ec == std::errc{} && first >= 0;
  second = first;
  if (ok && parsed.ptr != end) {
    ok = *parsed.ptr == ',';
    parsed = std::from_chars(parsed.ptr + 1, end, second);
    ok = ok && parsed.ec == std::errc{} && parsed.ptr == end && second >= 0;
  }
  if (!ok || first > most || second > most) {
    throw InputError(
        fmt::format("{} \"{}\": one whole number up to {}, or two with a comma between", flag, text, most));
  }
  return {first, second};
}

/// bwa mem's insert size excludes the first base: it is one less than the fragment's length.
align::InsertSizeDistributions parse_insert_sizes(const std::string& text, const align::Scoring& scoring) {
  double values[4] = {0, 0, 0, 0};  // mean, deviation, high, low
  const char* at = text.data();
  const char* end = at + text.size();
  int count = 0;
  bool ok = true;
  while (ok && at != end && count < 4) {
    const auto parsed = std::from_chars(at, end, values[count]);
    ok = parsed.ec == std::errc{} && values[count] >= 0 && (parsed.ptr == end || *parsed.ptr == ',');
    at = parsed.ptr + (ok && parsed.ptr != end);
    ++count;
  }
  constexpr auto most = static_cast<double>(align::max_insert_size);
  if (!ok || at != end || values[0] <= 0 || values[0] + 4 * values[1] > most || values[2] > most || values[3] > most) {
    throw InputError(fmt::format("-I \"{}\": mean[,deviation[,high[,low]]] of the insert size, up to {} bases", text,
                                 align::max_insert_size));
  }
  const double deviation = values[1] > 0 ? values[1] : 0.1 * values[0];
  const auto length = [](double bound) { return bound >= 1 ? static_cast<std::int64_t>(bound) + 1 : 0; };
  align::InsertSizeDistributions distributions =
      align::given_insert_sizes(values[0] + 1, deviation, length(values[2]), length(values[3]), scoring);
  const align::InsertSizeDistribution& fr = distributions[align::Orientation::fr];
  if (fr.low > fr.high) {
    throw InputError(
        fmt::format("-I \"{}\": the smallest insert, {}, is above the largest, {}", text, fr.low - 1, fr.high - 1));
  }
  return distributions;
}

void add_files(CLI::App& app, AlignFlags& flags) {
  app.add_option("INDEX", flags.index_path, "index file (.wsi) from `warpseed index`")->required();
  app.add_option("R1", flags.input.path1, "FASTQ, FASTA, SAM, BAM or CRAM, plain or gzip; - is standard input")
      ->required();
  app.add_option("R2", flags.input.path2, "mates of R1's reads, in the same order");
  app.add_flag("-p", flags.input.interleaved,
               "R1 holds mates one after the other; told by the flags in SAM, BAM and CRAM");
  app.add_option("--input-reference", flags.input.reference_path,
                 "FASTA that R1 was compressed against, if it is CRAM");
  app.add_option("-o,--output", flags.writer.path, "output; standard output if not given")->capture_default_str();
  app.add_option("--output-format", flags.format, "sam, bam or cram; by the output's name if not given");
  app.add_option("--compression-level", flags.writer.compression_level, "0 to 9, for BAM and CRAM")
      ->check(number_between(0, 9));
  app.add_option("--reference", flags.reference,
                 "FASTA that CRAM is compressed against; without it CRAM holds all bases");
  app.add_flag("--sort", flags.writer.sort, "by coordinate, with an index file beside the output");
  app.add_option(
         "--sort-memory", flags.sort_memory,
         "memory for sorting, e.g. 2G; beyond it runs go to disk; 512M a thread if not given, but no more than a "
         "quarter of the machine's")
      ->transform(size_in_bytes(1));
  app.add_option(
         "--memory", flags.device_memory,
         "device memory to use at most on each GPU, e.g. 8G (default: the index and at most 4 x 8 GiB for reads)")
      ->transform(size_in_bytes(0));
  app.add_flag("--mark-duplicates", flags.writer.mark_duplicates,
               "with --sort: set flag 0x400 where `samtools markdup` would");
  app.add_option(
      "-R,--read-group", flags.read_group,
      "read group line for all reads, such as '@RG\\tID:a\\tSM:b'; replaces those of SAM, BAM or CRAM input");
  app.add_flag("-C", flags.with_comment, "append the comments (SAM tags) of FASTQ and FASTA to the records");
  app.add_option("--json", flags.json_path, "file for statistics of the reads and their alignments");
}

void add_scoring(CLI::App& app, AlignFlags& flags) {
  align::Scoring& scoring = flags.align.scoring;
  const auto number = [&](const char* name, auto& value, const char* help, auto low, auto high) {
    app.add_option(name, value, help)->check(number_between(low, high))->capture_default_str()->group("Alignment");
  };
  number("-k", flags.align.min_seed, "shortest seed", 10U, 255U);
  number("-w", flags.align.band, "band width", 1, 10000);
  number("-d", scoring.drop, "stop an extension that falls this far below its best", 0, 1 << 20);
  number("-r", flags.align.reseed_factor, "look within seeds longer than -k times this", 0.1F, 1e6F);
  number("-y", flags.align.rare_rows,
         "seed occurrence for the 3rd round of seeding: matches with at most this many occurrences", 0U, 1U << 20);
  number("-c", flags.align.max_occurrences, "follow at most this many places of a seed", 1U, 1U << 20);
  number("-D", flags.align.chain_drop, "drop chains shorter than this fraction of the longest overlapping chain", 0.0F,
         1.0F);
  number("-m", flags.align.max_rescues, "mate rescues for a read", 0U, 100000U);
  number("-A", scoring.match, "score of a match; scales -B -d -E -L -O -T -U unless they are given", 1, 1000);
  number("-B", scoring.mismatch, "penalty of a mismatch", 0, 1000);
  number("-U", scoring.unpaired, "penalty of an unpaired placement", 0, 100000);
  number("-T", flags.align.min_score, "least score that is reported", 0, 1 << 20);
  app.add_option("-h", flags.alternatives, "XA lists at most this many alternatives[,with ALT contigs among them]")
      ->capture_default_str()
      ->group("Alignment");
  app.add_option("-O", flags.open, "gap open penalty: deletions[,insertions]")
      ->capture_default_str()
      ->group("Alignment");
  app.add_option("-E", flags.extend, "gap extension penalty: deletions[,insertions]")
      ->capture_default_str()
      ->group("Alignment");
  app.add_option("-L", flags.clip, "penalty for clipping: 5'[,3']")->capture_default_str()->group("Alignment");
  app.add_option("-I", flags.insert_sizes, "insert size: mean[,deviation[,high[,low]]]; learnt if not given")
      ->group("Alignment");
  app.add_option("--alt", flags.alt_path, "list of ALT contigs; REF.fa.alt beside REF.fa.wsi if not given")
      ->group("Alignment");
  app.add_flag("-j", flags.no_alt, "ALT contigs are contigs as others")->group("Alignment");
  app.add_flag("-S", flags.no_rescue, "no mate rescue")->group("Alignment");
  app.add_flag("-P", flags.no_pairing, "no pairing: mates are still rescued, but no pair is called proper")
      ->group("Alignment");
  app.add_flag("-a", flags.align.report_all,
               "all alignments of single reads and of mates that make no pair, as secondary records")
      ->group("Alignment");
  app.add_flag("-Y", flags.align.soft_clip_split, "soft clips in supplementary records")->group("Alignment");
  app.add_flag("-M", flags.align.split_as_secondary, "supplementary records as secondary ones")->group("Alignment");
}

/// As in bwa, a match score other than 1 scales every score and penalty that was not given.
void scale_by_match(const CLI::App& app, AlignFlags& flags) {
  align::Scoring& scoring = flags.align.scoring;
  const auto scale = [&](const char* flag, auto&... values) {
    if (app.get_option(flag)->count() == 0) ((values *= scoring.match), ...);
  };
  scale("-B", scoring.mismatch);
  scale("-O", scoring.deletion_open, scoring.insertion_open);
  scale("-E", scoring.deletion_extend, scoring.insertion_extend);
  scale("-L", scoring.clip_begin, scoring.clip_end);
  scale("-d", scoring.drop);
  scale("-U", scoring.unpaired);
  scale("-T", flags.align.min_score);
}

/// The default memory for sorting.
std::uint64_t default_sort_memory(int threads) {
  constexpr std::uint64_t bytes_a_thread = 512ULL << 20;
  return std::min(static_cast<std::uint64_t>(threads) * bytes_a_thread, total_memory_bytes() / 4);
}

/// All inputs, including files that accompany the index and CRAM's references, whether they exist or not.
std::vector<RunFile> input_files(const AlignFlags& flags) {
  std::vector<RunFile> files = {
      {flags.index_path},
      {flags.input.path1},
      {flags.input.path2},
      {flags.input.reference_path},
      {flags.reference},
      {flags.alt_path},
      {align::default_alt_list_path(flags.index_path), flags.index_path},
  };
  for (const std::string& fasta : {flags.input.reference_path, flags.reference}) {
    for (const RunFile& index : fasta_indices(fasta)) files.push_back(index);
  }
  return files;
}

/// All outputs, including the index of sorted output. For BAM it is one of two, depending on the contigs' lengths.
std::vector<RunFile> output_files(const AlignFlags& flags) {
  const std::string& path = flags.writer.path;
  std::vector<RunFile> files = {{path}, {flags.json_path}};
  if (!flags.writer.sort || is_written_in_place(path)) return files;
  if (flags.writer.format == records::AlignmentFormat::cram) files.push_back({path + ".crai", path});
  if (flags.writer.format == records::AlignmentFormat::bam) {
    for (const char* ending : {".bai", ".csi"}) files.push_back({path + ending, path});
  }
  return files;
}

/// Checks and completes options that depend on each other.
void settle(const CLI::App& app, AlignFlags& flags, const Common& common) {
  align::Scoring& scoring = flags.align.scoring;
  std::tie(scoring.deletion_open, scoring.insertion_open) = one_or_two("-O", flags.open, 100000);
  std::tie(scoring.deletion_extend, scoring.insertion_extend) = one_or_two("-E", flags.extend, 1000);
  std::tie(scoring.clip_begin, scoring.clip_end) = one_or_two("-L", flags.clip, 100000);
  if (scoring.deletion_extend == 0 || scoring.insertion_extend == 0) {
    throw InputError("-E: gap extension must cost at least 1");
  }
  const auto [most, most_with_alt] = one_or_two("-h", flags.alternatives, 1 << 30);
  flags.align.max_alternatives = static_cast<std::uint32_t>(most);
  flags.align.max_with_alt = static_cast<std::uint32_t>(most_with_alt);
  scale_by_match(app, flags);
  if (flags.no_alt && !flags.alt_path.empty()) {
    throw InputError("--alt names a list of ALT contigs, -j ignores it; leave one of them out");
  }
  if (flags.input.interleaved && !flags.input.path2.empty()) {
    throw InputError("-p says that R1 holds both mates; name one file of reads only, or leave -p out");
  }
  if (flags.writer.mark_duplicates && !flags.writer.sort) {
    throw InputError("--mark-duplicates compares reads in coordinate order; add --sort");
  }
  flags.align.rescue_mates = !flags.no_rescue;
  flags.align.pairing = !flags.no_pairing;
  flags.writer.format = records::choose_format(flags.format, flags.writer.path);
  flags.writer.threads = common.threads;
  flags.writer.sort_memory_bytes = flags.sort_memory.value_or(default_sort_memory(common.threads));
  flags.writer.reference_path = flags.reference;
  if (app.count("-R") > 0) flags.read_group = records::parse_read_group(flags.read_group);
  flags.input.with_read_groups = flags.read_group.empty();
  require_distinct_files(input_files(flags), output_files(flags));
  reads::require_two_mate_files(flags.input);
  require_cram_reference(flags.reference);
  require_cram_reference(flags.input.reference_path);
}

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
  if (!flags.read_group.empty()) header.read_group_lines = {flags.read_group};
  header.command_line = logger.command_line();
  header.program_lines = input.programs;
  header.comment_lines = input.comments;
  return header;
}

/// The tag RG by the reads' group number: -R's for all, or those of the input's header.
std::vector<std::string> group_ids(const reads::ReadHeader& input, const AlignFlags& flags) {
  if (!flags.read_group.empty()) return {records::read_group_id(flags.read_group)};
  std::vector<std::string> ids = {""};
  for (const std::string& line : input.read_groups) ids.push_back(records::read_group_id(line));
  return ids;
}

void log_insert_sizes(const align::InsertSizeDistributions& distributions, const std::string& whose,
                      const Logger& logger) {
  if (!distributions.known()) {
    return logger.note(whose + "too few certain pairs to learn the insert size from; mates were placed apart");
  }
  const auto log = [&](align::Orientation seen, const char* how) {
    const align::InsertSizeDistribution& model = distributions[seen];
    if (!model.known) return;
    logger.note(fmt::format("{}insert size {:.1f} +- {:.1f}, proper from {} to {}{}", whose, model.mean,
                            model.deviation, model.low, model.high, how));
  };
  log(align::Orientation::fr, "");
  log(align::Orientation::rf, " (mates back to back)");
  log(align::Orientation::ff, " (second mate ahead of the first on its strand)");
  log(align::Orientation::rr, " (second mate behind the first on its strand)");
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
  const align::RunStage limit = run.limit();
  logger.detail(fmt::format("limit: {}, busy {:.0f} % of the time",
                            align::run_stage_names[static_cast<std::size_t>(limit)], busy(limit)));
}

void log_all_insert_sizes(const align::ReadGroupInsertSizes& insert_sizes, const std::vector<std::string>& groups,
                          const Logger& logger) {
  for (std::uint32_t group = 0; group < groups.size(); ++group) {
    const std::string name = group == 0 ? "reads without a group" : "read group " + groups[group];
    const std::string whose = groups.size() == 1 ? "" : name + ": ";
    if (insert_sizes.seen(group)) log_insert_sizes(insert_sizes.of(group), whose, logger);
  }
}

void log_duplicates(const records::DuplicateCounts& counts, const Logger& logger) {
  const auto all = static_cast<double>(std::max<std::uint64_t>(counts.compared(), 1));
  logger.note(fmt::format("{} of {} reads marked as duplicates ({:.2f}%), {} of pairs and {} single", counts.marked(),
                          counts.compared(), 100 * static_cast<double>(counts.marked()) / all, counts.of_pairs_marked,
                          counts.single_marked));
}

/// The backend and its description. A device takes a while to initialise.
struct PreparedBackend {
  Backend backend;
  std::string description;

  explicit PreparedBackend(const Common& common) : backend(common.several_devices()), description(describe(backend)) {}
};

/// All of a run but the flags. The report is on the disk before the records get their name, and gets its own after them.
align::AlignStatistics run(const AlignFlags& flags, const Common& common, Logger& logger) {
  // Reads are read and packed while the device initialises.
  const BackgroundThread<PreparedBackend> prepared([&] { return PreparedBackend(common); });
  const index::Index index(flags.index_path, {true, common.threads});
  const align::AltContigs alt = find_alt_contigs(index, flags, logger);
  align::AlignOptions align = flags.align;
  align.alt_contigs = std::span(alt.flags);
  const BackgroundThread<std::unique_ptr<align::BatchAligner>> batch_aligner([&] {
    return align::make_batch_aligner(index.fm(), index.genome(), align, prepared.get().backend, {flags.device_memory});
  });
  const auto source = reads::open_reads(flags.input);
  std::optional<OutputFile> report;
  if (!flags.json_path.empty()) report.emplace(flags.json_path);
  records::WriterOptions output = flags.writer;
  output.sort_backend = [&prepared] { return prepared.get().backend; };
  const auto writer = records::open_alignments(header_of(index, alt, source->header(), flags, logger), output);
  align::Aligner aligner(index, align, source->paired(), batch_aligner.share(),
                         align::max_concurrent_batches(devices_named(common.backend_name)));
  if (!flags.insert_sizes.empty())
    aligner.set_insert_sizes(parse_insert_sizes(flags.insert_sizes, flags.align.scoring));
  const align::RunOptions options = {common.threads, group_ids(source->header(), flags), flags.with_comment,
                                     report.has_value()};
  const auto [statistics, stages, times] = align::run_alignment(*source, aligner, *writer, options, logger.progress());
  logger.detail("on " + prepared.get().description);
  const records::DuplicateCounts duplicates = writer->flush_sorted();
  if (report) {
    align::ReportContext context = {logger.command_line(), options.read_groups};
    if (flags.writer.mark_duplicates) context.duplicates = duplicates;
    report->write(align::report_json(statistics, aligner.insert_sizes(), context));
    report->flush();
  }
  writer->finish();
  if (report) report->commit();
  log_all_insert_sizes(aligner.insert_sizes(), options.read_groups, logger);
  if (flags.writer.mark_duplicates) log_duplicates(duplicates, logger);
  if (aligner.shrunk_to() > 0) {
    logger.note(
        fmt::format("device memory ran short: from then on {} reads were placed at a time", aligner.shrunk_to()));
  }
  if (statistics.counts.reads == 0)
    logger.note(fmt::format("warning: {} holds no reads", input_name(flags.input.path1)));
  log_stages(stages, times, logger);
  return statistics;
}

}  // namespace

int run_align(int argc, char** argv) {
  CLI::App app("Places reads in the genome of an index and writes SAM, BAM or CRAM.", "warpseed align");
  app.set_help_flag("--help", "this text");
  AlignFlags flags;
  Common common;
  add_files(app, flags);
  common.add_to(app);
  add_scoring(app, flags);
  if (!parse(app, argc, argv)) return exit_ok;
  settle(app, flags, common);

  Logger logger("align", common, argc, argv);
  const align::AlignStatistics statistics = run(flags, common, logger);
  if (!common.quiet) write_to_stderr(align::summary_text(statistics.counts));
  logger.closing();
  return exit_ok;
}

}  // namespace warpseed::cli
