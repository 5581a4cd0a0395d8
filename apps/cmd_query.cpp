// warpseed query: counts or locates patterns, exactly or with differences.
#include <fmt/format.h>

#include <string>

#include "approximate/bulges.hpp"
#include "approximate/differences.hpp"
#include "cli.hpp"
#include "core/byte_source.hpp"
#include "core/output_file.hpp"
#include "index/index_file.hpp"
#include "index_path.hpp"
#include "query_run.hpp"
#include "reads/pattern_source.hpp"
#include "warpseed/error.hpp"

namespace warpseed::cli {

namespace {

void add_options(CLI::App& app, QueryFlags& flags) {
  app.add_option("REF.wsi", flags.index, "index file, or the FASTA file that it is next to")->required();
  app.add_option("PATTERNS", flags.patterns, "FASTA, FASTQ or one pattern a line, plain or gzip; - is standard input")
      ->required();
  app.add_flag("--locate", flags.locate, "write every position instead of the counts");
  const auto differences = number_between(0U, approximate::max_differences);
  app.add_option("--mismatches", flags.mismatches, "find every position with at most this many mismatches")
      ->check(differences);
  app.add_option("--edits", flags.edits,
                 "find every alignment with at most this many edits: mismatches, inserted and deleted bases; of "
                 "overlapping ones that end at most this many bases apart, the one with the fewest")
      ->check(differences)
      ->excludes("--mismatches");
  app.add_option("--bulges", flags.bulges,
                 "with --mismatches: allow besides them bulges of this many bases in all, of the genome only (DNA "
                 "bulges) or of the pattern only (RNA bulges), within the pattern")
      ->check(number_between(0U, approximate::max_bulges))
      ->needs("--mismatches");
  app.add_option("--pam", flags.pam,
                 "patterns are guides that these IUPAC codes follow in the genome, such as NGG; they are to match, and "
                 "are not part of the patterns; with --mismatches or --edits");
  app.add_option("--pam-5", flags.pam_5, "the same for codes that precede the guides, such as TTTV")->excludes("--pam");
  app.add_option("--annotation", flags.annotation,
                 "GFF3, GTF or BED of the reference: with --locate, say of each occurrence how much of it is coding, "
                 "intronic, intergenic, and which genes are near");
  app.add_option("--feature", flags.features,
                 "type of feature that counts as coding, such as exon; may be repeated, one type each time (default: "
                 "CDS; all of BED)")
      ->allow_extra_args(false)
      ->needs("--annotation");
  app.add_flag("--allow-missing", flags.allow_missing, "the annotation may be on contigs that are not there")
      ->needs("--annotation");
  app.add_flag("--genome-iupac", flags.genome_iupac, "match IUPAC codes of the reference: not possible, says why");
  app.add_flag("--best", flags.best, "report only the occurrences with the fewest differences that any has");
  app.add_option("--max-hits", flags.max_hits,
                 "positions to write of a pattern at most: those with the fewest differences; of exact matches those "
                 "that come first in the suffix array, the forward strand's before the reverse one's; counts stay true")
      ->check(number_between(std::uint64_t{0}, std::numeric_limits<std::uint64_t>::max(), "NONNEGATIVE"));
  app.add_option("--strand", flags.strand, "strands to search")
      ->check(CLI::IsMember({"both", "forward", "reverse"}))
      ->capture_default_str();
  app.add_option("--format", flags.format_name, "bed needs --locate")
      ->check(CLI::IsMember({"tsv", "bed"}))
      ->capture_default_str();
  app.add_option("-o,--output", flags.output, "file to write; - is standard output")->capture_default_str();
  app.add_flag("--load", flags.load, "read the index into memory of this process, instead of mapping its file");
  flags.common.add_to(app);
}

}  // namespace

int run_query(int argc, char** argv) {
  QueryFlags flags;
  CLI::App app(
      "Counts or locates patterns in an indexed reference, on both strands: exactly, or with differences. Each IUPAC "
      "code of a pattern matches the bases that it stands for. An empty pattern occurs nowhere.",
      "warpseed query");
  add_options(app, flags);
  if (!parse(app, argc, argv)) return exit_ok;
  if (flags.format() == QueryFormat::bed && !flags.locate)
    throw InputError("--format bed holds positions; add --locate");
  if (flags.genome_iupac) {
    throw InputError(
        "--genome-iupac: an index holds A, C, G, T and N only, so other codes of the reference are N there and match "
        "nothing; index each variant of the reference as a contig of its own instead");
  }
  if (!flags.annotation.empty() && !(flags.locate && flags.with_differences() && flags.format() == QueryFormat::tsv))
    throw InputError("--annotation labels positions; add --locate and --mismatches or --edits (0 for exact), as tsv");
  if (!(flags.pam.empty() && flags.pam_5.empty()) && !flags.with_differences()) {
    throw InputError(
        fmt::format("{} needs --mismatches or --edits (0 for exact)", flags.pam.empty() ? "--pam-5" : "--pam"));
  }
  if (flags.best && !flags.with_differences()) throw InputError("--best needs --mismatches or --edits");
  flags.index = find_index(flags.index);
  require_distinct_files({{flags.index}, {flags.patterns}}, {{flags.output}});

  Logger logger("query", flags.common, argc, argv);
  remove_stale_outputs({{flags.output}}, logger);
  const Backend backend = flags.common.backend();
  const auto residence = flags.load ? index::Residence::loaded : index::Residence::mapped;
  const index::Index index(flags.index, {residence, flags.common.threads});
  reads::PatternSource source(flags.patterns);
  logger.detail(fmt::format("searching on {}", to_string(backend)));
  const ProgressCallback progress = logger.progress();
  OutputFile out(flags.output);
  const QueryRun run = {flags, index, backend, source, out, logger, progress};
  if (!flags.annotation.empty()) logger.detail(fmt::format("reading {}", flags.annotation));
  const std::uint64_t done = flags.with_differences() ? query_with_differences(run) : query_exact(run);
  out.commit();
  if (done == 0) logger.note(fmt::format("warning: {} holds no patterns", input_name(flags.patterns)));
  logger.note(fmt::format("{} patterns", done));
  logger.closing();
  return exit_ok;
}

}  // namespace warpseed::cli
