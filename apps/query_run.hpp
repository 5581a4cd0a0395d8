// What the two searches of `query` share: flags, and how patterns and positions are written.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli.hpp"
#include "core/output_file.hpp"
#include "index/index_file.hpp"
#include "reads/pattern_source.hpp"

namespace warpseed::cli {

enum class QueryFormat { tsv, bed };

struct QueryFlags {
  std::string index, patterns, output = "-";
  bool locate = false, load = false, best = false, genome_iupac = false;
  std::uint64_t max_hits = std::numeric_limits<std::uint64_t>::max();
  std::optional<unsigned> mismatches, edits;
  unsigned bulges = 0;
  std::string pam, pam_5, annotation;
  std::vector<std::string> features;
  bool allow_missing = false;
  std::string strand = "both", format_name = "tsv";
  Common common;

  Strands strands() const { return strands_of(strand); }
  QueryFormat format() const { return format_name == "bed" ? QueryFormat::bed : QueryFormat::tsv; }
  bool with_differences() const { return mismatches || edits; }
};

/// What a search reads and writes.
struct QueryRun {
  const QueryFlags& flags;
  const index::Index& index;
  const Backend& backend;
  reads::PatternSource& source;
  OutputFile& out;
  const Logger& logger;
  const ProgressCallback& progress;
};

/// Search all patterns of a run and write the results; they return the number of patterns.
std::uint64_t query_exact(const QueryRun& run);
std::uint64_t query_with_differences(const QueryRun& run);

/// Reads all patterns of a run; query.header() comes first, then query.batch(patterns) for each batch. Returns the
/// number of patterns.
template <class Query>
std::uint64_t for_each_batch(const QueryRun& run, Query& query) {
  std::uint64_t done = 0;
  reads::ReadBatch patterns;
  bool more = run.source.next(patterns);
  query.header();  // after the first patterns have been parsed successfully
  for (; more; more = run.source.next(patterns)) {
    query.batch(patterns);
    done += patterns.size();
    if (run.progress) run.progress({"searching", "patterns", done, 0});
  }
  return done;
}

/// A pattern's name in a column, which is never empty.
inline std::string_view shown_name(const reads::ReadView& pattern) {
  return pattern.name.empty() ? "." : pattern.name;
}

/// A count of a strand; "." for one that is not searched.
inline std::string shown_count(const QueryFlags& flags, std::uint64_t count, Strands only_other) {
  return flags.strands() == only_other ? std::string(".") : std::to_string(count);
}

/// A position in a contig.
struct ContigPosition {
  std::string_view contig;
  std::uint64_t offset = 0;
  std::uint64_t number = 0;  // of the contig
};

inline ContigPosition contig_position(const index::Index& index, TextPos position) {
  const GenomePos genome_position = text::to_genome(index.genome(), position);
  const std::uint64_t contig = text::contig_at(index.genome(), genome_position);
  return {index.contig_name(contig), genome_position - index.genome().contig_begins[contig], contig};
}

/// Text to write, in portions of about a megabyte.
class TextOutput {
 public:
  explicit TextOutput(OutputFile& out) : out_(out) {}

  fmt::memory_buffer& text() { return text_; }
  void flush_if_full() {
    if (text_.size() > 1 << 20) flush();
  }
  void flush() {
    out_.write({text_.data(), text_.size()});
    text_.clear();
  }

 private:
  OutputFile& out_;
  fmt::memory_buffer text_;
};

}  // namespace warpseed::cli
