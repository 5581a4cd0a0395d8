// The exact search of `query`.
#include <fmt/format.h>

#include <iterator>
#include <span>

#include "approximate/exact_patterns.hpp"
#include "query_run.hpp"

namespace warpseed::cli {

namespace {

/// Writes the results of a batch of patterns.
class ExactAnswers {
 public:
  explicit ExactAnswers(const QueryRun& run) : run_(run), out_(run.out) {}

  void header() {
    if (run_.flags.format() == QueryFormat::bed) return;
    run_.out.write(run_.flags.locate ? "#pattern\tcontig\tstart\tend\tstrand\n"
                                     : "#pattern\tlength\tforward\treverse\ttotal\n");
  }

  void counts(const reads::ReadBatch& patterns, std::span<const approximate::ExactPatterns::StrandCounts> counts) {
    for (std::uint64_t i = 0; i < counts.size(); ++i) {
      fmt::format_to(std::back_inserter(out_.text()), "{}\t{}\t{}\t{}\t{}\n", shown_name(patterns[i]),
                     patterns[i].bases.size(), shown_count(run_.flags, counts[i].forward, Strands::reverse),
                     shown_count(run_.flags, counts[i].reverse, Strands::forward), counts[i].total());
    }
    out_.flush();
  }

  /// Patterns from `first` on, as many as `found` has.
  void positions(const reads::ReadBatch& patterns, std::uint64_t first, const index::OccurrenceBatch& found) {
    for (std::uint64_t i = 0; i + 1 < found.offsets.size(); ++i) {
      const reads::ReadView pattern = patterns[first + i];
      for (std::uint64_t at = found.offsets[i]; at < found.offsets[i + 1]; ++at) {
        position(pattern, found.hits[at]);
        out_.flush_if_full();
      }
    }
    out_.flush();
  }

 private:
  void position(const reads::ReadView& pattern, index::Occurrence hit) {
    const auto [contig, start] = contig_position(run_.index, hit.position());
    const std::uint64_t end = start + pattern.bases.size();
    const char strand = hit.reverse() ? '-' : '+';
    if (run_.flags.format() == QueryFormat::bed) {
      fmt::format_to(std::back_inserter(out_.text()), "{}\t{}\t{}\t{}\t0\t{}\n", contig, start, end, pattern.name,
                     strand);
    } else {
      fmt::format_to(std::back_inserter(out_.text()), "{}\t{}\t{}\t{}\t{}\n", shown_name(pattern), contig, start, end,
                     strand);
    }
  }

  const QueryRun& run_;
  TextOutput out_;
};

/// Locates patterns in groups of about a million occurrences: memory holds those, or all of one pattern that has more.
void locate_batch(approximate::ExactPatterns& search, const QueryFlags& flags, const reads::ReadBatch& patterns,
                  ExactAnswers& answers) {
  constexpr std::uint64_t enough = 1 << 20;
  const auto counts = search.counts();
  for (std::uint64_t first = 0; first < counts.size();) {
    std::uint64_t end = first, hits = 0;
    while (end < counts.size() && hits < enough) hits += std::min(counts[end++].total(), flags.max_hits);
    answers.positions(patterns, first, search.locate(first, end, flags.max_hits));
    first = end;
  }
}

}  // namespace

std::uint64_t query_exact(const QueryRun& run) {
  approximate::ExactPatterns search({run.index.genome(), run.index.fm()}, run.backend, run.flags.strands());
  ExactAnswers answers(run);
  std::uint64_t done = 0;
  reads::ReadBatch patterns;
  bool more = run.source.next(patterns);
  answers.header();  // after the first patterns have been parsed successfully
  for (; more; more = run.source.next(patterns)) {
    approximate::SetBatch sets;
    for (std::uint64_t i = 0; i < patterns.size(); ++i) sets.add_letters(patterns[i].bases);
    search.find(sets);
    if (run.flags.locate) {
      locate_batch(search, run.flags, patterns, answers);
    } else {
      answers.counts(patterns, search.counts());
    }
    done += patterns.size();
    if (run.progress) run.progress({"searching", "patterns", done, 0});
  }
  return done;
}

}  // namespace warpseed::cli
