#include "align_flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <tuple>
#include <utility>

#include "align/report/shard_statistics.hpp"
#include "align/select/alt_contigs.hpp"
#include "align_lanes.hpp"
#include "core/anonymous_file.hpp"
#include "core/byte_source.hpp"
#include "core/file_identity.hpp"
#include "core/memory.hpp"
#include "core/output_file.hpp"
#include "core/quoted.hpp"
#include "estimate_table.hpp"
#include "warpseed/error.hpp"

namespace warpseed::cli {

namespace {

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

/// As in bwa, a match score other than 1 scales every score and penalty that was not given.
void scale_by_match(const CLI::App& app, AlignFlags& flags) {
  Scoring& scoring = flags.align.scoring;
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

/// The default memory for sorting. More makes a run hardly faster: what it would hold goes to disk in the background.
/// Less makes more runs of a whole genome, and a range of all of them so large that few are merged at a time.
std::uint64_t default_sort_memory(int threads) {
  constexpr std::uint64_t bytes_a_thread = 512ULL << 20, most = 8ULL << 30;
  return std::min({static_cast<std::uint64_t>(threads) * bytes_a_thread, most, total_memory_bytes() / 4});
}

/// The folder for sorted runs: --tmp-dir, else $TMPDIR; empty: next to the output. A folder that cannot be written is an
/// IoError now, not only when the sort memory is full.
std::string folder_for_runs(const AlignFlags& flags) {
  if (!flags.writer.sort) return {};
  const char* const variable = std::getenv("TMPDIR");
  std::string folder = flags.writer.temporary_folder;
  const bool given = !folder.empty();
  if (!given && variable) folder = variable;
  if (folder.empty()) return {};
  try {
    const AnonymousFile probe(flags.writer.path, "for sorting", folder);
  } catch (const IoError& error) {
    throw IoError(fmt::format("{}: {}; {}", given ? "--tmp-dir" : "TMPDIR", error.what(),
                              given ? "name a folder that can be written"
                                    : "set it to a folder that can be written, "
                                      "or give --tmp-dir"));
  }
  return folder;
}

/// All inputs, including files that accompany the index and CRAM's references, whether they exist or not.
std::vector<RunFile> input_files(const AlignFlags& flags) {
  std::vector<RunFile> files = {
      {flags.index_path}, {flags.input.reference_path},
      {flags.reference},  {flags.alt_path},
      {flags.plan_path},  {align::default_alt_list_path(flags.index_path), flags.index_path},
  };
  for (const std::string& text : flags.header_lines) {
    if (!text.starts_with('@')) files.push_back({text});
  }
  for (const reads::Lane& lane : flags.lanes) {
    files.push_back({lane.input.path1});
    files.push_back({lane.input.path2});
  }
  for (const std::string& fasta : {flags.input.reference_path, flags.reference}) {
    for (const RunFile& index : fasta_indices(fasta)) files.push_back(index);
  }
  return files;
}

}  // namespace

std::vector<RunFile> output_files(const AlignFlags& flags) {
  const std::string& path = flags.writer.path;
  std::vector<RunFile> files = {{path}, {flags.json_path}, {flags.html_path}};
  const bool reported = !flags.json_path.empty() || !flags.html_path.empty();
  if (flags.writer.shard && reported) files.push_back({align::shard_statistics_path(path), path});
  if (!flags.writer.sort || is_written_in_place(path)) return files;
  if (flags.writer.format == records::AlignmentFormat::cram) files.push_back({path + ".crai", path});
  if (flags.writer.format == records::AlignmentFormat::bam) {
    for (const char* ending : {".bai", ".csi"}) files.push_back({path + ending, path});
  }
  return files;
}

align::InsertSizeDistributions parse_insert_sizes(const std::string& text, const Scoring& scoring) {
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
  app.add_option("R1", flags.input.path1,
                 "FASTQ, FASTA, SAM, BAM or CRAM, plain or gzip; - is standard input; several "
                 "files (lanes) with commas between");
  app.add_option("R2", flags.input.path2, "mates of R1's reads, in the same order; as many files");
  app.add_option("-1", flags.first_files, "instead of R1: its files, with spaces between; may be repeated")
      ->type_name("FILE");
  app.add_option("-2", flags.second_files, "instead of R2: its files, in the order of -1")->type_name("FILE");
  app.add_flag("-p", flags.input.interleaved,
               "R1 holds mates one after the other, perhaps with single reads among them: two adjacent reads of one "
               "name are mates");
  app.add_option("--input-reference", flags.input.reference_path,
                 "FASTA that R1 was compressed against, if it is CRAM");
  app.add_option("-o,--output", flags.writer.path, "output; standard output if not given")->capture_default_str();
  app.add_option("--output-format", flags.format, "sam, bam, cram or paf; by the output's name if not given");
  app.add_option("--compression-level", flags.writer.compression_level,
                 "0 to 9, for BAM and CRAM; without it BAM is compressed faster than at level 1, to about that size")
      ->check(number_between(0, 9));
  app.add_option("--reference", flags.reference,
                 "FASTA that CRAM is compressed against; without it CRAM holds all bases");
  app.add_flag("--sort", flags.writer.sort, "by coordinate, with an index file next to the output");
  app.add_option(
         "--sort-memory", flags.sort_memory,
         "memory for sorting, e.g. 2G; beyond half of it runs go to the GPUs' free memory, then to disk; 512M a "
         "thread if not given, but no more than 8G and a quarter of the memory of machine or control group")
      ->transform(size_in_bytes(1));
  app.add_option("--tmp-dir", flags.writer.temporary_folder,
                 "folder for sorted runs that go to disk; $TMPDIR if not given, next to the output if that is unset");
  app.add_option(
         "--memory", flags.device_memory,
         "device memory to use at most on each GPU, e.g. 8G (default: the index, at most 6 x 8 GiB for reads, and "
         "for runs of --sort what leaves 16 GiB free)")
      ->transform(size_in_bytes(0));
  app.add_option(
         "--shard", flags.shard,
         "align part I of N of the reads, to BAM; `warpseed merge` makes of all N files the one of a run over all "
         "reads. The reads are counted first, so they come from files")
      ->type_name("I/N");
  auto* plan = app.add_option("--plan", flags.plan_path,
                              "with --shard: what --learn-only has written, with which the reads need not be counted, "
                              "and those before the part are not read")
                   ->type_name("FILE");
  app.add_flag(
         "--learn-only", flags.learn_only,
         "write no records but a plan for the parts of a run: the number of reads, the insert sizes, and where in "
         "the files parts can begin")
      ->excludes(plan);
  app.add_flag("--mark-duplicates", flags.writer.mark_duplicates,
               "with --sort: set flag 0x400 where `samtools markdup` would");
  app.add_option("-R,--read-group", flags.read_groups,
                 "read group line for all reads, such as '@RG\\tID:a\\tSM:b'; replaces those of SAM, BAM or CRAM "
                 "input; repeated: "
                 "one for each lane")
      ->allow_extra_args(false)
      ->type_name("TEXT");
  app.add_option("-H", flags.header_lines,
                 "a line for the header, such as '@CO\\ttext', or a file of lines: @CO, @PG, @RG, and @SQ in place of "
                 "those of the index; may be repeated")
      ->allow_extra_args(false)
      ->type_name("LINE|FILE");
  app.add_flag("-C", flags.with_comment, "append the comments (SAM tags) of FASTQ and FASTA to the records");
  app.add_option("--json", flags.json_path, "file for statistics of the reads and their alignments");
  app.add_option("--html", flags.html_path, "file for the same statistics as a page with plots, for a browser");
  app.add_option("--summary", flags.summary, "form of the summary on standard error: warpseed or bowtie2")
      ->check(CLI::IsMember({"warpseed", "bowtie2"}))
      ->capture_default_str();
  auto* load = app.add_flag("--load", flags.load,
                            "read the index into memory of this process (default: if twice its size is free, or else "
                            "as --map)");
  app.add_flag("--map", flags.map, "map the index's file, and share its memory with other runs")->excludes(load);
  add_estimate(app, flags.estimate);
}

void add_tags(CLI::App& app, AlignFlags& flags) {
  app.add_option("--cs", flags.cs, "tag cs, the differences in minimap2's words: none, short or long")
      ->check(CLI::IsMember({"none", "short", "long"}))
      ->capture_default_str()
      ->group("Records");
  app.add_flag("--ds", flags.align.ds, "tag ds: cs with the bases by which a gap could move")->group("Records");
  app.add_flag("--eqx", flags.align.eqx, "= and X instead of M in CIGARs")->group("Records");
}

void add_scoring(CLI::App& app, AlignFlags& flags) {
  app.add_option(
         "-x", flags.preset,
         "kind of reads: auto (single reads of more than 1,000 bases are long), sr (all are short), hifi or ont "
         "(scores of the long ones), intractg (contigs of the same species: scores of all); minimap2's map-hifi, "
         "map-ont, map-pb and lr:hq, and bwa's pacbio and ont2d are accepted")
      ->capture_default_str()
      ->group("Alignment");
  Scoring& scoring = flags.align.scoring;
  const auto number = [&](const char* name, auto& value, const char* help, auto low, auto high) {
    app.add_option(name, value, help)->check(number_between(low, high))->capture_default_str()->group("Alignment");
  };
  number("-k", flags.align.min_seed, "shortest seed", 10U, 255U);
  number("-w", flags.align.band, "band width", 1, 10000);
  number("-d", scoring.drop, "stop an extension that falls this far below its best", 0, 1 << 20);
  number("-r", flags.align.reseed_factor, "look within seeds longer than -k times this", 0.1F, 1e6F);
  number("-y", flags.align.rare_rows,
         "seed occurrence for the 3rd round of seeding: matches with at most this many occurrences", 0U, 1U << 20);
  number("-c", flags.align.max_occurrences, "use at most this many occurrences of a seed", 1U, 1U << 20);
  number("-D", flags.align.chain_drop, "drop chains shorter than this fraction of the longest overlapping chain", 0.0F,
         1.0F);
  number("-m", flags.align.max_rescues, "mate rescues for a read", 0U, 100000U);
  number("-A", scoring.match, "score of a match; scales -B -d -E -L -O -T -U unless they are given", 1, 1000);
  number("-B", scoring.mismatch, "penalty of a mismatch", 0, 1000);
  number("-U", scoring.unpaired, "penalty for an unpaired read pair", 0, 100000);
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
  app.add_option("--alt", flags.alt_path, "list of ALT contigs; REF.fa.alt next to REF.fa.wsi if not given")
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
  app.add_flag("-q", flags.align.keep_split_mapq,
               "keep the MAPQ of supplementary alignments, which is at most the primary's otherwise")
      ->group("Alignment");
  app.add_flag("-5", flags.align.first_part_primary,
               "of a split read the part that begins first in the read is the primary one; implies -q")
      ->group("Alignment");
}

/// Throws InputError for input that cannot be read twice.
void require_files(const AlignFlags& flags, const char* flag) {
  for (const reads::Lane& lane : flags.lanes) {
    for (const std::string& path : {lane.input.path1, lane.input.path2}) {
      const FileIdentity identity = path.empty() ? FileIdentity{} : input_identity(path);
      if (path != "-" && !identity.is_stream() && identity.type != std::filesystem::file_type::character) continue;
      throw InputError(
          fmt::format("{}: {} reads its input twice, so it takes files only; write it to one", input_name(path), flag));
    }
  }
}

/// Of --learn-only and --plan.
void check_plan_flags(const AlignFlags& flags) {
  if (!flags.plan_path.empty() && flags.shard.empty())
    throw InputError("--plan is for the parts of a run; add --shard");
  if (!flags.learn_only) return;
  if (!flags.shard.empty()) throw InputError("--learn-only is for the whole run; leave --shard out");
  if (!flags.json_path.empty() || !flags.html_path.empty())
    throw InputError("--learn-only writes no records, of which --json and --html report; leave them out");
  require_files(flags, "--learn-only");
}

/// Of --shard; none if it is not given. Which reads it has is not known yet.
std::optional<records::Shard> shard_of(const AlignFlags& flags) {
  if (flags.shard.empty()) return {};
  constexpr std::uint32_t most = 100'000;
  records::Shard shard;
  const char *const begin = flags.shard.data(), *const end = begin + flags.shard.size();
  const auto number = std::from_chars(begin, end, shard.number);
  const bool slash = number.ec == std::errc{} && number.ptr != end && *number.ptr == '/';
  const auto count = std::from_chars(number.ptr + (slash ? 1 : 0), end, shard.count);
  if (!slash || count.ec != std::errc{} || count.ptr != end || shard.number == 0 || shard.number > shard.count ||
      shard.count > most) {
    throw InputError(
        fmt::format("--shard {}: the part and the number of parts, such as 1/16, up to {}", quoted(flags.shard), most));
  }
  if (flags.writer.format != records::AlignmentFormat::bam || is_written_in_place(flags.writer.path)) {
    throw InputError("--shard writes a BAM file for `warpseed merge`; name it with -o, ending in .bam");
  }
  require_files(flags, "--shard");
  return shard;
}

/// Sets what the kind of reads (-x) brings, and the penalties that are given.
void apply_kind(const CLI::App& app, AlignFlags& flags) {
  Scoring& scoring = flags.align.scoring;
  const std::int32_t mismatch = scoring.mismatch;
  apply_preset(flags.preset, flags.align);
  if (app.get_option("-B")->count() > 0) scoring.mismatch = mismatch;
  if (app.get_option("-O")->count() > 0)
    std::tie(scoring.deletion_open, scoring.insertion_open) = one_or_two("-O", flags.open, 100000);
}

void complete(const CLI::App& app, AlignFlags& flags, const Common& common) {
  apply_kind(app, flags);
  flags.align.cs = flags.cs == "long" ? CsTag::long_form : flags.cs == "short" ? CsTag::short_form : CsTag::none;
  Scoring& scoring = flags.align.scoring;
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
  flags.notes = notes_on_ignored(app);
  complete_lanes(flags);
  if (flags.writer.mark_duplicates && !flags.writer.sort) {
    throw InputError("--mark-duplicates compares reads in coordinate order; add --sort");
  }
  flags.align.rescue_mates = !flags.no_rescue;
  flags.align.pairing = !flags.no_pairing;
  flags.writer.format = records::choose_format(flags.format, flags.writer.path);
  flags.writer.shard = shard_of(flags);
  check_plan_flags(flags);
  flags.writer.threads = common.threads;
  flags.writer.sort_memory_bytes = flags.sort_memory.value_or(default_sort_memory(common.threads));
  flags.writer.reference_path = flags.reference;
  require_distinct_files(input_files(flags), output_files(flags));
  reads::require_different_files(flags.lanes);
  require_cram_reference(flags.reference);
  require_cram_reference(flags.input.reference_path);
  flags.writer.temporary_folder = folder_for_runs(flags);
}

}  // namespace warpseed::cli
