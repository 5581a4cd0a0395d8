// The search of `query` with mismatches or edits.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>

#include "approximate/approximate_search.hpp"
#include "core/parallel.hpp"
#include "core/quoted.hpp"
#include "core/timing.hpp"
#include "query_run.hpp"
#include "warpseed/error.hpp"

namespace warpseed::cli {

namespace {

approximate::SearchOptions search_options(const QueryFlags& flags) {
  const bool edits = flags.edits.has_value();
  return {edits ? approximate::Metric::edits : approximate::Metric::mismatches,
          edits ? *flags.edits : *flags.mismatches, flags.strands()};
}

/// The bases of an alignment's text, read along the pattern.
std::string aligned_bases(const text::PackedView& text, const approximate::Occurrence& hit) {
  std::string bases;
  for (TextPos at = hit.begin; at < hit.end; ++at) bases += text::base_of_code(text[at]);
  if (!hit.reverse) return bases;
  std::reverse(bases.begin(), bases.end());
  for (char& base : bases) base = text::complement_letter(base);
  return bases;
}

/// Searches patterns in portions and writes their results in input order.
class DifferencesQuery {
 public:
  explicit DifferencesQuery(const QueryRun& run)
      : run_(run),
        options_(search_options(run.flags)),
        search_({run.index.genome(), run.index.fm()}, run.backend, options_),
        out_(run.out) {}

  void header() {
    if (run_.flags.format() == QueryFormat::bed) return;
    fmt::memory_buffer& text = out_.text();
    if (run_.flags.locate) {
      fmt::format_to(std::back_inserter(text),
                     "#pattern\tcontig\tstart\tend\tstrand\tdifferences\tcigar\tbases\ttotal\n");
    } else {
      fmt::format_to(std::back_inserter(text), "#pattern\tlength\tforward\treverse\ttotal");
      for (unsigned i = 0; i <= options_.differences; ++i) fmt::format_to(std::back_inserter(text), "\twith_{}", i);
      text.push_back('\n');
    }
    out_.flush();
  }

  void batch(const reads::ReadBatch& patterns) {
    for (std::uint64_t first = 0; first < patterns.size();) {
      const std::uint64_t end = std::min(patterns.size(), first + portion_);
      const std::uint64_t found = portion(patterns, first, end);
      adapt_portion(found);
      first = end;
    }
  }

  /// Patterns with more occurrences than were written.
  std::uint64_t cut_patterns() const { return cut_; }

  /// The time of searching, without loading the index, reading patterns and writing results.
  double search_seconds() const { return search_seconds_; }

 private:
  /// Searches and writes patterns [first, end); returns the number of alignments found.
  std::uint64_t portion(const reads::ReadBatch& patterns, std::uint64_t first, std::uint64_t end) {
    approximate::SetBatch sets;
    for (std::uint64_t i = first; i < end; ++i) {
      require_length(patterns[i], done_ + i - first);
      sets.add_iupac(patterns[i].bases);
    }
    Stopwatch watch;
    search_.find(sets);
    search_seconds_ += watch.seconds();
    const auto lines = run_.flags.locate ? located(patterns, first, end) : counted(patterns, first, end);
    for (const Lines& each : lines) {
      out_.text().append(each.text);
      cut_ += each.cut;
      out_.flush_if_full();
    }
    out_.flush();
    done_ += end - first;
    return search_.ends_found();
  }

  /// Portions grow until they find about this many alignments, which bounds memory: 16 bytes each, some more in use.
  void adapt_portion(std::uint64_t found) {
    constexpr std::uint64_t wanted = 8 << 20, least = 64, most = reads::PatternSource::batch_patterns;
    if (found > wanted) portion_ = std::max(least, portion_ / 2);
    if (found < wanted / 4) portion_ = std::min(most, portion_ * 4);
  }

  void require_length(const reads::ReadView& pattern, std::uint64_t number) const {
    const std::size_t length = pattern.bases.size();
    if (length == 0 || length > options_.differences) return;
    throw InputError(
        fmt::format("{}: pattern {}, {}, has {} bases, and any position has it with {} differences; "
                    "give longer patterns or allow fewer differences",
                    input_name(run_.flags.patterns), number + 1, quoted(pattern.name), length, options_.differences));
  }

  /// The lines of some patterns.
  struct Lines {
    fmt::memory_buffer text;
    std::uint64_t cut = 0;
  };

  template <class Write>
  std::vector<Lines> by_blocks(std::uint64_t count, const Write& write) const {
    const std::uint64_t even = count / (static_cast<std::uint64_t>(run_.backend.threads) * 8);
    const std::uint64_t block = std::clamp<std::uint64_t>(even, 1, 64);
    std::vector<Lines> lines((count + block - 1) / block);
    for_blocks(run_.backend.threads, count, block, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end; ++i) write(i, lines[begin / block]);
    });
    return lines;
  }

  std::vector<Lines> counted(const reads::ReadBatch& patterns, std::uint64_t first, std::uint64_t end) const {
    return by_blocks(end - first, [&](std::uint64_t i, Lines& lines) {
      const reads::ReadView pattern = patterns[first + i];
      const approximate::Counts counts = search_.count(i, selection());
      auto out = std::back_inserter(lines.text);
      fmt::format_to(out, "{}\t{}\t{}\t{}\t{}", shown_name(pattern), pattern.bases.size(),
                     shown_count(run_.flags, counts.forward, Strands::reverse),
                     shown_count(run_.flags, counts.reverse, Strands::forward), counts.total());
      for (const std::uint64_t count : counts.by_differences) fmt::format_to(out, "\t{}", count);
      lines.text.push_back('\n');
    });
  }

  std::vector<Lines> located(const reads::ReadBatch& patterns, std::uint64_t first, std::uint64_t end) const {
    return by_blocks(end - first, [&](std::uint64_t i, Lines& lines) {
      const approximate::Located found = search_.locate(i, selection());
      for (const approximate::Occurrence& hit : found.hits) write(patterns[first + i], hit, found.total, lines.text);
      lines.cut += found.total > found.hits.size() ? 1 : 0;
    });
  }

  void write(const reads::ReadView& pattern, const approximate::Occurrence& hit, std::uint64_t total,
             fmt::memory_buffer& text) const {
    const auto [contig, start] = contig_position(run_.index, hit.begin);
    const std::uint64_t end = start + (hit.end - hit.begin);
    const char strand = hit.reverse ? '-' : '+';
    if (run_.flags.format() == QueryFormat::bed) {
      fmt::format_to(std::back_inserter(text), "{}\t{}\t{}\t{}\t{}\t{}\n", contig, start, end, pattern.name,
                     hit.differences, strand);
    } else {
      fmt::format_to(std::back_inserter(text), "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", shown_name(pattern), contig,
                     start, end, strand, hit.differences, approximate::cigar_of(hit.operations, hit.reverse),
                     aligned_bases(run_.index.genome().text, hit), total);
    }
  }

  approximate::Selection selection() const { return {run_.flags.best, run_.flags.max_hits}; }

  const QueryRun& run_;
  approximate::SearchOptions options_;
  approximate::ApproximateSearch search_;
  TextOutput out_;
  std::uint64_t portion_ = 4096, done_ = 0, cut_ = 0;
  double search_seconds_ = 0;
};

}  // namespace

std::uint64_t query_with_differences(const QueryRun& run) {
  DifferencesQuery query(run);
  const std::uint64_t done = for_each_batch(run, query);
  run.logger.detail(fmt::format("searching took {:.3f} s", query.search_seconds()));
  if (query.cut_patterns() > 0) {
    run.logger.note(fmt::format("{} patterns have more occurrences than --max-hits", query.cut_patterns()));
  }
  return done;
}

}  // namespace warpseed::cli
