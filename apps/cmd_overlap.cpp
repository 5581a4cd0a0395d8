// warpseed overlap: finds common substrings of sequences.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "cli.hpp"
#include "core/output_file.hpp"
#include "overlap/matches/match_run.hpp"
#include "overlap/pairs/pair_run.hpp"
#include "overlap_plot.hpp"
#include "text/annotation.hpp"
#include "text/mask.hpp"
#include "warpseed/error.hpp"

namespace warpseed::cli {

namespace {

struct OverlapFlags {
  std::string mode, target;
  std::vector<std::string> queries;
  std::string table;
  std::string strand = "both", format = "tsv";
  bool self = false, ties = false, unique = false, unique_in_target = false;
  MatchOptions matching;
  std::string annotation, query_annotation;
  std::vector<std::string> features;
  bool label = false, allow_missing = false;
  overlap::OutputPlan output;
  std::string plot_path, plot_title, html_path;
  Common common;

  bool is(std::string_view other) const { return mode == other; }
};

void add_options(CLI::App& app, OverlapFlags& flags) {
  app.add_option("MODE", flags.mode,
                 "longest: the longest common region of each pair of sequences; matches: every maximal exact match; "
                 "pairs: how far given positions agree; also by the names of the field: lcs, mems, lce")
      ->required()
      ->transform(CLI::Transformer({{"lcs", "longest"}, {"mems", "matches"}, {"lce", "pairs"}}))
      ->check(CLI::IsMember({"longest", "matches", "pairs"}));
  app.add_option("TARGET", flags.target, "FASTA, plain or gzip, or an index (.wsi); - is standard input")->required();
  app.add_option("QUERY", flags.queries, "FASTA files or indices; without one TARGET is compared with itself");
  app.add_flag("--self", flags.self, "matches: compare TARGET with itself; longest: also each sequence with itself");
  app.add_option("--strand", flags.strand, "strands of the queries")
      ->check(CLI::IsMember({"both", "forward", "reverse"}))
      ->capture_default_str();
  app.add_option("--min-length", flags.matching.min_length, "matches: bases that a match has at least")
      ->check(number_between(std::uint64_t{1}, std::numeric_limits<std::uint64_t>::max(), "POSITIVE"))
      ->capture_default_str();
  CLI::Option* unique =
      app.add_flag("--unique", flags.unique, "matches: their bases stand once in TARGET and once in the query (MUM)");
  app.add_flag("--unique-in-target", flags.unique_in_target, "matches: their bases stand once in TARGET (MAM)")
      ->excludes(unique);
  app.add_flag("--ties", flags.ties, "longest: every region of that length, not the first alone");
  app.add_option("--table", flags.table,
                 "pairs: the positions, six columns with tabs between: sequence, position from 0, strand, twice; - is "
                 "standard input");
}

void add_annotation_options(CLI::App& app, OverlapFlags& flags) {
  app.add_option("--annotation", flags.annotation,
                 "GFF3, GTF or BED of TARGET, plain or gzip: what lies in its features takes no part");
  app.add_option("--query-annotation", flags.query_annotation, "the same of the queries");
  app.add_option("--feature", flags.features,
                 "type of feature that counts; may be repeated, one type each time (default: CDS; all of BED)")
      ->allow_extra_args(false);
  app.add_flag("--label", flags.label,
               "keep what lies in features, and say of each region how much of it is coding, intronic, intergenic, "
               "and which genes are near");
  app.add_flag("--allow-missing", flags.allow_missing, "the annotation may be on sequences that are not there");
}

void add_output_options(CLI::App& app, OverlapFlags& flags) {
  app.add_option("-o,--output", flags.output.path, "file to write; - is standard output")->capture_default_str();
  app.add_option("--format", flags.format,
                 "tsv; bed or bed-query: positions in TARGET or in the queries; paf; mums: MUMmer's four columns")
      ->check(CLI::IsMember({"tsv", "bed", "bed-query", "paf", "mums"}))
      ->capture_default_str();
  app.add_option("--fasta", flags.output.fasta_path, "FASTA file for the bases of the regions");
  app.add_option(
      "--plot", flags.plot_path,
      "file for a picture of the regions, by the end of its name SVG, PDF, or PNG (where rsvg-convert, inkscape or "
      "ImageMagick is there)");
  app.add_option("--plot-title", flags.plot_title, "title of the picture (default: the names of the files)");
  app.add_option("--html", flags.html_path,
                 "file for the picture as a page, for a browser, that shows parts of it closely");
}

void require_mode(const OverlapFlags& flags, bool given, std::string_view flag, std::string_view mode) {
  if (given && !flags.is(mode)) throw InputError(fmt::format("{} is for mode {}; leave it out", flag, mode));
}

void require_fitting_strand(const OverlapFlags& flags) {
  if (flags.is("pairs") && flags.strand == "reverse")
    throw InputError("pairs takes its strands from the table; use --strand both or forward");
  if (!flags.is("pairs") && flags.queries.empty() && flags.strand == "reverse")
    throw InputError("a set compared with itself is on --strand both or forward");
}

void require_fitting_format(const OverlapFlags& flags) {
  if (flags.is("pairs") && flags.format != "tsv")
    throw InputError("pairs writes a table of its own; leave --format out");
  if (flags.is("longest") && flags.format == "mums")
    throw InputError(
        "--format mums is for mode matches, it has no place for the query's name in a line; use tsv or paf");
  const bool drawn = !flags.plot_path.empty() || !flags.html_path.empty();
  if (!flags.plot_title.empty() && !drawn)
    throw InputError("--plot-title is for a picture; add --plot or --html, or leave it out");
  if (flags.is("pairs") && (flags.label || !flags.output.fasta_path.empty() || drawn))
    throw InputError("pairs has no regions; leave --label, --fasta, --plot and --html out");
}

void require_picture_name(const std::string& path) {
  if (path.empty() || is_written_in_place(path)) return;
  for (const std::string_view end : {".svg", ".pdf", ".png"}) {
    if (path.ends_with(end)) return;
  }
  throw InputError(fmt::format("--plot {}: a picture is SVG, PDF or PNG; end its name in .svg, .pdf or .png", path));
}

void require_fitting_annotation(const OverlapFlags& flags) {
  if (!flags.query_annotation.empty() && flags.queries.empty())
    throw InputError("--query-annotation is for queries; without a QUERY --annotation is enough");
  const bool annotated = !flags.annotation.empty() || !flags.query_annotation.empty();
  if (!annotated && (flags.label || flags.allow_missing || !flags.features.empty()))
    throw InputError("--label, --feature and --allow-missing are about an annotation; add --annotation FILE");
}

/// Checks and completes options that depend on each other.
void complete(OverlapFlags& flags, const CLI::App& app) {
  require_mode(flags, flags.unique, "--unique", "matches");
  require_mode(flags, flags.unique_in_target, "--unique-in-target", "matches");
  require_mode(flags, app.count("--min-length") > 0, "--min-length", "matches");
  require_mode(flags, flags.ties, "--ties", "longest");
  require_mode(flags, !flags.table.empty(), "--table", "pairs");
  if (flags.self && !flags.queries.empty()) throw InputError("--self compares TARGET with itself; leave QUERY out");
  if (flags.is("matches") && !flags.self && flags.queries.empty())
    throw InputError("name a QUERY, or add --self to compare TARGET with itself");
  if (flags.is("pairs") && flags.table.empty()) throw InputError("the positions are missing; add --table FILE");
  if (flags.queries.empty() && (flags.unique || flags.unique_in_target))
    throw InputError("uniqueness is between TARGET and a query; leave --unique out, or name a QUERY");
  require_fitting_strand(flags);
  require_fitting_format(flags);
  require_fitting_annotation(flags);
  std::vector<RunFile> inputs = {{flags.target}, {flags.table}, {flags.annotation}, {flags.query_annotation}};
  for (const std::string& query : flags.queries) inputs.push_back({query});
  require_distinct_files(inputs,
                         {{flags.output.path}, {flags.output.fasta_path}, {flags.plot_path}, {flags.html_path}});
  require_picture_name(flags.plot_path);
  if (flags.unique || flags.unique_in_target)
    flags.matching.uniqueness = flags.unique ? Uniqueness::in_both : Uniqueness::in_target;
  flags.output.format = overlap::region_format_kind(flags.format);
  flags.output.counts = flags.is("longest");
  flags.matching.by_query = flags.output.format == overlap::RegionFormatKind::mums;
}

/// Reads the annotation of one side and masks its sequences with it, or turns it into labels.
class AnnotatedSide {
 public:
  AnnotatedSide(const OverlapFlags& flags, const std::string& annotation, std::vector<overlap::SequenceFile>& files) {
    if (annotation.empty()) return;
    std::vector<std::string> names;
    std::vector<std::uint64_t> lengths;
    for (const text::SequenceInfo& sequence : overlap::list_sequences(files).sequences) {
      names.push_back(sequence.name);
      lengths.push_back(sequence.length);
    }
    const text::BoundAnnotation bound =
        text::bind_annotation(text::read_annotation(annotation), names, lengths, flags.allow_missing);
    features_ = text::feature_intervals(bound, flags.features);
    if (flags.label) {
      labels_.emplace(bound, flags.features);
    } else {
      mask(files, *features_);
    }
  }

  const overlap::RegionLabeller* labels() const { return labels_ ? &*labels_ : nullptr; }
  const SideFeatures* features() const { return features_ ? &*features_ : nullptr; }

 private:
  static void mask(std::vector<overlap::SequenceFile>& files, std::span<const std::vector<text::Interval>> intervals) {
    for (overlap::SequenceFile& file : files) {
      const std::uint64_t contigs = file.genome().contig_count();
      file.replace(text::masked(file.genome(), intervals.first(contigs)));
      intervals = intervals.subspan(contigs);
    }
  }

  std::optional<overlap::RegionLabeller> labels_;
  std::optional<SideFeatures> features_;
};

/// Writes the table: all sequences form one text, so that any position may be on either strand.
std::uint64_t run_pairs(const OverlapFlags& flags, std::vector<overlap::SequenceFile> targets,
                        std::vector<overlap::SequenceFile> queries, const Backend& backend, const Logger& logger,
                        const ProgressCallback& progress) {
  overlap::PairSides sides{overlap::list_sequences(targets), overlap::list_sequences(queries), 0};
  if (queries.empty()) {
    sides.queries = sides.targets;
  } else {
    sides.first_query = static_cast<std::uint32_t>(sides.targets.sequences.size());
  }
  std::move(queries.begin(), queries.end(), std::back_inserter(targets));
  const overlap::SequenceText text(targets, {}, strands_of(flags.strand), flags.common.threads);
  const overlap::PairSummary done =
      overlap::write_extensions(text, sides, flags.table, flags.output.path, backend, progress);
  logger.detail(fmt::format("from the table to the answers: {:.3f} s, {:.1f} M pairs/s", done.seconds,
                            static_cast<double>(done.pairs) / 1e6 / std::max(done.seconds, 1e-9)));
  return done.pairs;
}

/// Writes lines, bases and plot of the regions.
std::uint64_t run_regions(const OverlapFlags& flags, std::vector<overlap::SequenceFile> targets,
                          std::vector<overlap::SequenceFile> queries, const AnnotatedSide& target_side,
                          const AnnotatedSide& query_side, const Backend& backend, const Logger& logger,
                          const ProgressCallback& progress) {
  const overlap::SequenceText text(targets, queries, strands_of(flags.strand), flags.common.threads);
  targets.clear(), queries.clear();  // the text holds their sequences
  overlap::OutputPlan plan = flags.output;
  plan.target_labels = target_side.labels();
  plan.query_labels = query_side.labels();
  std::optional<OverlapPlot> plot;
  if (!flags.plot_path.empty() || !flags.html_path.empty()) {
    const PlotFiles files = {flags.plot_path, flags.plot_title, flags.html_path, logger.command_line()};
    plot.emplace(text, files, target_side.features(), query_side.features());
  }
  overlap::RegionOutput output(text, plan, plot ? &*plot : nullptr);
  if (flags.is("matches")) {
    overlap::write_matches(text, flags.matching, backend, output, progress);
  } else {
    overlap::write_longest(text, {flags.ties, flags.self}, backend, output);
  }
  output.commit();
  return output.written();
}

}  // namespace

int run_overlap(int argc, char** argv) {
  OverlapFlags flags;
  CLI::App app(
      "Finds what sequences have in common, on both strands: the longest common regions, all maximal exact matches, "
      "or how far given positions agree; with an annotation, in what lies outside its features.",
      "warpseed overlap");
  add_options(app, flags);
  add_annotation_options(app, flags);
  add_output_options(app, flags);
  flags.common.add_to(app);
  if (!parse(app, argc, argv)) return exit_ok;

  Logger logger("overlap", flags.common, argc, argv);
  remove_stale_outputs({{flags.output.path}, {flags.output.fasta_path}, {flags.plot_path}, {flags.html_path}}, logger);
  complete(flags, app);
  const Backend backend = flags.common.backend();
  const ProgressCallback progress = logger.progress();
  std::vector<overlap::SequenceFile> targets = overlap::read_sequence_files({flags.target});
  std::vector<overlap::SequenceFile> queries = overlap::read_sequence_files(flags.queries);
  const AnnotatedSide target_side(flags, flags.annotation, targets);
  const AnnotatedSide query_side(flags, flags.query_annotation, queries);
  logger.detail(fmt::format("working on {}", to_string(backend)));
  const AnnotatedSide& searched_side = queries.empty() ? target_side : query_side;
  const std::uint64_t written =
      flags.is("pairs") ? run_pairs(flags, std::move(targets), std::move(queries), backend, logger, progress)
                        : run_regions(flags, std::move(targets), std::move(queries), target_side, searched_side,
                                      backend, logger, progress);
  if (backend.kind == BackendKind::cuda)
    logger.detail(fmt::format("peak device memory: {} bytes", peak_device_bytes(backend)));
  logger.note(fmt::format("{} {}", written, flags.is("pairs") ? "pairs" : "regions"));
  logger.closing();
  return exit_ok;
}

}  // namespace warpseed::cli
