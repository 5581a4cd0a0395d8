// The exact search of `query`.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "approximate/exact_patterns.hpp"
#include "query_run.hpp"

namespace warpseed::cli {

namespace {

/// Searches batches of patterns and writes their results.
class ExactQuery {
 public:
  explicit ExactQuery(const QueryRun& run)
      : run_(run), search_({run.index.genome(), run.index.fm()}, run.backend, run.flags.strands()), out_(run.out) {}

  void header() {
    if (run_.flags.format() == QueryFormat::bed) return;
    run_.out.write(run_.flags.locate ? "#pattern\tcontig\tstart\tend\tstrand\n"
                                     : "#pattern\tlength\tforward\treverse\ttotal\n");
  }

  void batch(const reads::ReadBatch& patterns) {
    approximate::SetBatch sets;
    for (std::uint64_t i = 0; i < patterns.size(); ++i) sets.add_iupac(patterns[i].bases);
    search_.find(sets);
    if (run_.flags.locate) {
      locate(patterns);
    } else {
      count(patterns);
    }
  }

 private:
  void count(const reads::ReadBatch& patterns) {
    const auto counts = search_.counts();
    for (std::uint64_t i = 0; i < counts.size(); ++i) {
      fmt::format_to(std::back_inserter(out_.text()), "{}\t{}\t{}\t{}\t{}\n", shown_name(patterns[i]),
                     patterns[i].bases.size(), shown_count(run_.flags, counts[i].forward, Strands::reverse),
                     shown_count(run_.flags, counts[i].reverse, Strands::forward), counts[i].total());
    }
    out_.flush();
  }

  /// In groups of about a million occurrences: memory holds those, or all of one pattern that has more.
  void locate(const reads::ReadBatch& patterns) {
    constexpr std::uint64_t enough = 1 << 20;
    const auto counts = search_.counts();
    for (std::uint64_t first = 0; first < counts.size();) {
      std::uint64_t end = first, hits = 0;
      while (end < counts.size() && hits < enough) hits += std::min(counts[end++].total(), run_.flags.max_hits);
      positions(patterns, first, search_.locate(first, end, run_.flags.max_hits));
      first = end;
    }
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

  void position(const reads::ReadView& pattern, index::Occurrence hit) {
    const auto [contig, start, number] = contig_position(run_.index, hit.position());
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
  approximate::ExactPatterns search_;
  TextOutput out_;
};

}  // namespace

std::uint64_t query_exact(const QueryRun& run) {
  ExactQuery query(run);
  return for_each_batch(run, query);
}

}  // namespace warpseed::cli
