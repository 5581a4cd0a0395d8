// warpseed query: counts or locates exact patterns.
#include <fmt/format.h>

#include <iterator>
#include <limits>
#include <string>

#include "cli.hpp"
#include "core/byte_source.hpp"
#include "core/output_file.hpp"
#include "index/exact_search.hpp"
#include "index/index_file.hpp"
#include "index_path.hpp"
#include "reads/pattern_source.hpp"
#include "warpseed/error.hpp"

namespace warpseed::cli {

namespace {

enum class Format { tsv, bed };

struct QueryFlags {
  std::string index, patterns, output = "-";
  bool locate = false, load = false;
  std::uint64_t max_hits = std::numeric_limits<std::uint64_t>::max();
  std::string strand = "both", format_name = "tsv";
  Common common;

  Strands strands() const { return strands_of(strand); }
  Format format() const { return format_name == "bed" ? Format::bed : Format::tsv; }
};

index::PatternBatch encode(const reads::ReadBatch& reads) {
  index::PatternBatch patterns;
  for (std::uint64_t i = 0; i < reads.size(); ++i) {
    for (const char letter : reads[i].bases) patterns.codes.push_back(text::code_of_base(letter));
    patterns.offsets.push_back(patterns.codes.size());
  }
  return patterns;
}

std::string_view shown_name(const reads::ReadView& pattern) {
  return pattern.name.empty() ? "." : pattern.name;  // a column is never empty
}

/// Writes the results of a batch of patterns.
class Answers {
 public:
  Answers(const QueryFlags& flags, const index::Index& index, OutputFile& out)
      : flags_(flags), index_(index), out_(out) {}

  void header() {
    if (flags_.format() == Format::bed) return;
    out_.write(flags_.locate ? "#pattern\tcontig\tstart\tend\tstrand\n"
                             : "#pattern\tlength\tforward\treverse\ttotal\n");
  }

  void counts(const reads::ReadBatch& patterns, std::span<const index::StrandRows> rows) {
    const auto shown = [&](const RowRange& range, Strands other) {
      return flags_.strands() == other ? std::string(".") : std::to_string(range.count());
    };
    for (std::uint64_t i = 0; i < rows.size(); ++i) {
      fmt::format_to(std::back_inserter(text_), "{}\t{}\t{}\t{}\t{}\n", shown_name(patterns[i]),
                     patterns[i].bases.size(), shown(rows[i].forward, Strands::reverse),
                     shown(rows[i].reverse, Strands::forward), rows[i].count());
    }
    flush();
  }

  /// Patterns from `first` on, as many as `found` has.
  void positions(const reads::ReadBatch& patterns, std::uint64_t first, const index::OccurrenceBatch& found) {
    for (std::uint64_t i = 0; i + 1 < found.offsets.size(); ++i) {
      const reads::ReadView pattern = patterns[first + i];
      for (std::uint64_t at = found.offsets[i]; at < found.offsets[i + 1]; ++at) {
        position(pattern, found.hits[at]);
        if (text_.size() > 1 << 20) flush();
      }
    }
    flush();
  }

 private:
  void position(const reads::ReadView& pattern, index::Occurrence hit) {
    const GenomePos genome_position = text::to_genome(index_.genome(), hit.position());
    const std::uint64_t contig = text::contig_at(index_.genome(), genome_position);
    const std::uint64_t start = genome_position - index_.genome().contig_begins[contig];
    const std::uint64_t end = start + pattern.bases.size();
    const char strand = hit.reverse() ? '-' : '+';
    if (flags_.format() == Format::bed) {
      fmt::format_to(std::back_inserter(text_), "{}\t{}\t{}\t{}\t0\t{}\n", index_.contig_name(contig), start, end,
                     pattern.name, strand);
    } else {
      fmt::format_to(std::back_inserter(text_), "{}\t{}\t{}\t{}\t{}\n", shown_name(pattern), index_.contig_name(contig),
                     start, end, strand);
    }
  }

  void flush() {
    out_.write({text_.data(), text_.size()});
    text_.clear();
  }

  const QueryFlags& flags_;
  const index::Index& index_;
  OutputFile& out_;
  fmt::memory_buffer text_;
};

/// Locates patterns in groups of about a million occurrences: memory holds those, or all of one pattern that has more.
void locate_batch(index::ExactSearch& search, const QueryFlags& flags, const reads::ReadBatch& patterns,
                  std::span<const index::StrandRows> rows, Answers& answers) {
  constexpr std::uint64_t enough = 1 << 20;
  for (std::uint64_t first = 0; first < rows.size();) {
    std::uint64_t end = first, hits = 0;
    while (end < rows.size() && hits < enough) hits += std::min(rows[end++].count(), flags.max_hits);
    answers.positions(patterns, first, search.locate(rows.subspan(first, end - first), flags.max_hits));
    first = end;
  }
}

void add_options(CLI::App& app, QueryFlags& flags) {
  app.add_option("REF.wsi", flags.index, "index file, or the FASTA file that it is next to")->required();
  app.add_option("PATTERNS", flags.patterns, "FASTA, FASTQ or one pattern a line, plain or gzip; - is standard input")
      ->required();
  app.add_flag("--locate", flags.locate, "write every position instead of the counts");
  app.add_option("--max-hits", flags.max_hits,
                 "positions to write of a pattern at most: those that come first in the suffix array, the forward "
                 "strand's before the reverse one's; counts stay true")
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
      "Counts or locates exact patterns in an indexed reference, on both strands. An empty pattern and one "
      "with an N occur nowhere.",
      "warpseed query");
  add_options(app, flags);
  if (!parse(app, argc, argv)) return exit_ok;
  if (flags.format() == Format::bed && !flags.locate) throw InputError("--format bed holds positions; add --locate");
  flags.index = find_index(flags.index);
  require_distinct_files({{flags.index}, {flags.patterns}}, {{flags.output}});

  Logger logger("query", flags.common, argc, argv);
  remove_stale_outputs({{flags.output}}, logger);
  const Backend backend = flags.common.backend();
  const auto residence = flags.load ? index::Residence::loaded : index::Residence::mapped;
  const index::Index index(flags.index, {residence, flags.common.threads});
  reads::PatternSource source(flags.patterns);
  index::ExactSearch search(index.fm(), backend, flags.strands());
  logger.detail(fmt::format("searching on {}", to_string(backend)));
  const ProgressCallback progress = logger.progress();
  OutputFile out(flags.output);
  Answers answers(flags, index, out);
  std::uint64_t done = 0;
  reads::ReadBatch patterns;
  bool more = source.next(patterns);
  answers.header();  // after the first patterns have been parsed successfully
  for (; more; more = source.next(patterns)) {
    const std::vector<index::StrandRows> rows = search.find(encode(patterns));
    if (flags.locate) {
      locate_batch(search, flags, patterns, rows, answers);
    } else {
      answers.counts(patterns, rows);
    }
    done += patterns.size();
    if (progress) progress({"searching", "patterns", done, 0});
  }
  out.commit();
  if (done == 0) logger.note(fmt::format("warning: {} holds no patterns", input_name(flags.patterns)));
  logger.note(fmt::format("{} patterns", done));
  logger.closing();
  return exit_ok;
}

}  // namespace warpseed::cli
