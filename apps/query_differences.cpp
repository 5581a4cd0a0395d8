// The search of `query` with mismatches or edits.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>

#include "approximate/approximate_search.hpp"
#include "core/parallel.hpp"
#include "core/quoted.hpp"
#include "core/timing.hpp"
#include "query_guides.hpp"
#include "query_run.hpp"
#include "warpseed/error.hpp"

namespace warpseed::cli {

namespace {

approximate::SearchOptions search_options(const QueryFlags& flags, const Pam& pam) {
  const bool edits = flags.edits.has_value();
  approximate::SearchOptions options;
  options.metric = edits ? approximate::Metric::edits : approximate::Metric::mismatches;
  options.differences = edits ? *flags.edits : *flags.mismatches;
  options.strands = flags.strands();
  options.bulges = flags.bulges;
  (pam.first() ? options.exact_begin : options.exact_end) = pam.length();
  return options;
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
        pam_(run.flags),
        options_(search_options(run.flags, pam_)),
        search_({run.index.genome(), run.index.fm()}, run.backend, options_),
        guide_columns_(pam_),
        out_(run.out) {
    if (!run.flags.annotation.empty()) labels_.emplace(run.flags, run.index);
  }

  void header() {
    if (run_.flags.format() == QueryFormat::bed) return;
    fmt::memory_buffer& text = out_.text();
    if (run_.flags.locate) {
      fmt::format_to(std::back_inserter(text),
                     "#pattern\tcontig\tstart\tend\tstrand\tdifferences\tcigar\tbases\ttotal{}{}\n",
                     pam_.given() ? GuideColumns::site_header() : "", labels_ ? labels_->header() : "");
    } else {
      fmt::format_to(std::back_inserter(text), "#pattern\tlength\tforward\treverse\ttotal");
      const unsigned most = options_.differences + options_.bulges;
      for (unsigned i = 0; i <= most; ++i) fmt::format_to(std::back_inserter(text), "\twith_{}", i);
      fmt::format_to(std::back_inserter(text), "{}\n", pam_.given() ? GuideColumns::guide_header() : "");
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

  /// Do all patterns look as if the PAM were part of them? Of a few guides this may be chance.
  bool has_pam_in_patterns() const { return with_pam_ == done_ && done_ >= 4; }

  /// The time of searching, without loading the index, reading patterns and writing results.
  double search_seconds() const { return search_seconds_; }

 private:
  /// Searches and writes patterns [first, end); returns the number of alignments found.
  std::uint64_t portion(const reads::ReadBatch& patterns, std::uint64_t first, std::uint64_t end) {
    approximate::SetBatch sets;
    for (std::uint64_t i = first; i < end; ++i) {
      require_length(patterns[i], done_ + i - first);
      sets.add_iupac(pam_.with(patterns[i].bases));
      with_pam_ += pam_.given() && pam_.is_in(patterns[i].bases) ? 1 : 0;
    }
    Stopwatch watch;
    search_.find(sets);
    search_seconds_ += watch.seconds();
    const std::uint64_t found = search_.ends_found(),
                        step = std::max<std::uint64_t>(1, (end - first) * wanted_lines / (found + 1));
    for (std::uint64_t begin = first; begin < end; begin += step) {
      write_lines({patterns, first, begin, std::min(end, begin + step)});
    }
    done_ += end - first;
    return found;
  }

  /// Patterns [begin, end) of a batch; those from `first` on have been searched for.
  struct Searched {
    const reads::ReadBatch& patterns;
    std::uint64_t first, begin, end;

    std::uint64_t count() const { return end - begin; }
    reads::ReadView pattern(std::uint64_t i) const { return patterns[begin + i]; }
    std::uint64_t number(std::uint64_t i) const { return begin + i - first; }  // in the search
  };

  /// Lines that are held in memory, about.
  static constexpr std::uint64_t wanted_lines = 1 << 20;

  void write_lines(const Searched& searched) {
    for (const Lines& each : run_.flags.locate ? located(searched) : counted(searched)) {
      out_.text().append(each.text);
      cut_ += each.cut;
      out_.flush_if_full();
    }
    out_.flush();
  }

  /// Portions grow until they find about this many alignments, which bounds memory: 16 bytes each, some more in use.
  void adapt_portion(std::uint64_t found) {
    constexpr std::uint64_t wanted = 8 << 20, least = 64;
    const std::uint64_t most = reads::PatternSource::batch_patterns / forms();
    if (found > wanted) portion_ = std::max(least, portion_ / 2);
    if (found < wanted / 4) portion_ = std::max(least, std::min(most, portion_ * 4));
  }

  /// About how many patterns without gaps a pattern is searched as.
  std::uint64_t forms() const { return options_.bulges == 0 ? 1 : options_.bulges == 1 ? 64 : 2048; }

  void require_length(const reads::ReadView& pattern, std::uint64_t number) const {
    const std::size_t length = pattern.bases.size(), least = options_.differences + 2 * options_.bulges + 1;
    if (length == 0 || length >= least) return;
    throw InputError(
        fmt::format("{}: pattern {}, {}, has {} bases, too few for {} differences{}; "
                    "give patterns of at least {} bases or allow fewer differences",
                    input_name(run_.flags.patterns), number + 1, quoted(pattern.name), length, options_.differences,
                    options_.bulges == 0 ? "" : fmt::format(" and {} bulges", options_.bulges), least));
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

  std::vector<Lines> counted(const Searched& searched) const {
    return by_blocks(searched.count(), [&](std::uint64_t i, Lines& lines) {
      const reads::ReadView pattern = searched.pattern(i);
      const approximate::Counts counts = search_.count(searched.number(i), selection());
      auto out = std::back_inserter(lines.text);
      fmt::format_to(out, "{}\t{}\t{}\t{}\t{}", shown_name(pattern), pattern.bases.size(),
                     shown_count(run_.flags, counts.forward, Strands::reverse),
                     shown_count(run_.flags, counts.reverse, Strands::forward), counts.total());
      for (const std::uint64_t count : counts.by_differences) fmt::format_to(out, "\t{}", count);
      if (pam_.given()) fmt::format_to(out, "{}", guide_columns(pattern, searched.number(i)));
      lines.text.push_back('\n');
    });
  }

  std::string guide_columns(const reads::ReadView& pattern, std::uint64_t number) const {
    if (!guide_columns_.scores(pattern.bases)) return guide_columns_.of_guide(pattern.bases, {}, {});
    const approximate::Located found = search_.locate(number, {});
    std::vector<std::string> bases;
    for (const approximate::Occurrence& hit : found.hits) {
      bases.push_back(aligned_bases(run_.index.genome().text, hit));
    }
    return guide_columns_.of_guide(pattern.bases, found, bases);
  }

  std::vector<Lines> located(const Searched& searched) const {
    return by_blocks(searched.count(), [&](std::uint64_t i, Lines& lines) {
      const approximate::Located found = search_.locate(searched.number(i), selection());
      for (const approximate::Occurrence& hit : found.hits) write(searched.pattern(i), hit, found.total, lines.text);
      lines.cut += found.total > found.hits.size() ? 1 : 0;
    });
  }

  void write(const reads::ReadView& pattern, const approximate::Occurrence& hit, std::uint64_t total,
             fmt::memory_buffer& text) const {
    const auto [contig, start, number] = contig_position(run_.index, hit.begin);
    const std::uint64_t end = start + (hit.end - hit.begin);
    const char strand = hit.reverse ? '-' : '+';
    if (run_.flags.format() == QueryFormat::bed) {
      fmt::format_to(std::back_inserter(text), "{}\t{}\t{}\t{}\t{}\t{}\n", contig, start, end, pattern.name,
                     hit.differences, strand);
    } else {
      const std::string bases = aligned_bases(run_.index.genome().text, hit);
      fmt::format_to(std::back_inserter(text), "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}{}{}\n", shown_name(pattern), contig,
                     start, end, strand, hit.differences, approximate::cigar_of(hit.operations, hit.reverse), bases,
                     total, pam_.given() ? guide_columns_.of_site(pattern.bases, hit, bases) : "",
                     labels_ ? labels_->of(number, start, end) : "");
    }
  }

  approximate::Selection selection() const { return {run_.flags.best, run_.flags.max_hits}; }

  const QueryRun& run_;
  Pam pam_;
  approximate::SearchOptions options_;
  approximate::ApproximateSearch search_;
  GuideColumns guide_columns_;
  std::optional<SiteLabels> labels_;
  TextOutput out_;
  std::uint64_t portion_ = std::clamp<std::uint64_t>((1 << 16) / forms(), 64, 4096);
  std::uint64_t done_ = 0, cut_ = 0, with_pam_ = 0;
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
  if (query.has_pam_in_patterns()) {
    run.logger.note(
        "warning: all patterns end or begin with bases of the PAM; leave it out of them, as it is searched for next to "
        "them");
  }
  return done;
}

}  // namespace warpseed::cli
