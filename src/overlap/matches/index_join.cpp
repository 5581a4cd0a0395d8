// join_words() with the FM-index of the targets.
#include <tuple>

#include "core/parallel.hpp"
#include "overlap/matches/word_collector.hpp"

namespace warpseed::overlap {

namespace {

/// A word of the queries that occurs in the targets.
struct WordHit {
  RowRange rows;  // of the targets' suffix array
  TextPos query = 0;
};

/// Finds the words of an interval of the query text.
class WordSearch {
 public:
  WordSearch(const suffix::GenomeText& bases, const index::FmView& index, const MatchOptions& options)
      : bases_(bases),
        index_(index),
        length_(options.min_length),
        keep_all_(options.uniqueness == Uniqueness::in_both) {}

  /// Adds the words that begin in [begin, end) and end by `limit`; the interval lies in one segment.
  void add(TextPos begin, TextPos end, TextPos limit, std::vector<WordHit>& hits) const {
    for (TextPos at = begin; at < end && length_ <= limit - at;) {  // avoids the overflow of at + length_
      const index::Search found = search(at);
      if (found.rows.empty()) {
        at += found.left + 1;  // the suffix searched so far does not occur
        continue;
      }
      if (keep_all_ || may_begin_match(at, found.rows)) hits.push_back({found.rows, at});
      ++at;
    }
  }

 private:
  index::Search search(TextPos at) const {
    index::Search search{{0, index_.row_count()}, length_};
    const std::uint64_t k = index_.kmer_length;
    if (k > 0 && length_ >= k) {
      search = {index::kmer_rows(index_, bases_.text.window(at + length_ - k) >> (64 - 2 * k)), length_ - k};
    }
    while (search.left > 0 && !search.rows.empty()) {
      --search.left;
      search.rows = index::extend_left(index_, search.rows, bases_.text[at + search.left]);
    }
    return search;
  }

  /// False if every occurrence of the word in the targets follows the same base as this one.
  bool may_begin_match(TextPos at, const RowRange& rows) const {
    const unsigned left = suffix::base_before(bases_, at);
    return left == 4 || index::extend_left(index_, rows, left).count() < rows.count();
  }

  const suffix::GenomeText& bases_;
  const index::FmView& index_;
  std::uint64_t length_;
  bool keep_all_;  // uniqueness in the queries depends on all occurrences
};

std::vector<WordHit> search_queries(const SequenceText& text, const suffix::GenomeText& bases,
                                    const index::FmView& index, const MatchOptions& options, int threads) {
  constexpr std::uint64_t positions_per_batch = 1 << 16;
  const text::GenomeView genome = text.genome();
  const std::uint64_t first = text.target_end(), count = genome.text.size - first;
  std::vector<std::vector<WordHit>> parts(count / positions_per_batch + 1);
  const WordSearch search(bases, index, options);
  for_blocks(threads, count, positions_per_batch, [&](std::uint64_t from, std::uint64_t to) {
    TextPos at = first + from;
    for (std::uint64_t segment = text::segment_at(genome, at); at < first + to; ++segment) {
      const TextPos separator = genome.separator_of(segment);
      search.add(at, std::min(separator, first + to), separator, parts[from / positions_per_batch]);
      at = separator + 1;
    }
  });
  std::vector<WordHit> hits;
  for (auto& part : parts) {
    hits.insert(hits.end(), part.begin(), part.end());
    part = {};
  }
  tbb::task_arena(threads).execute([&] {
    tbb::parallel_sort(hits, [](const WordHit& a, const WordHit& b) {
      return std::tuple(a.rows.begin, a.query) < std::tuple(b.rows.begin, b.query);
    });
  });
  return hits;
}

/// The order of two suffixes, ignoring the numbers of their separators.
bool precedes(const suffix::GenomeText& bases, TextPos a, TextPos b) {
  if (a == b) return false;
  const std::uint64_t shared = suffix::shared_symbols(bases, a, b);
  const bool a_ends = bases.separators.at(a + shared), b_ends = bases.separators.at(b + shared);
  if (a_ends || b_ends) return a_ends && (!b_ends || a < b);
  return bases.text[a + shared] < bases.text[b + shared];
}

}  // namespace

template <class Pos>
WordJoin<Pos> join_words(const SequenceText& text, const suffix::GenomeText& bases, const index::FmView& index,
                         const MatchOptions& options, int threads) {
  const std::vector<WordHit> hits = search_queries(text, bases, index, options, threads);
  constexpr std::uint64_t hits_per_batch = 1 << 14;
  std::vector<WordJoin<Pos>> parts(hits.size() / hits_per_batch + 1);
  for_blocks(threads, hits.size(), hits_per_batch, [&](std::uint64_t begin, std::uint64_t end) {
    WordCollector<Pos> collector(text, bases, options);
    const auto continues = [&](std::uint64_t i) { return i > 0 && hits[i].rows == hits[i - 1].rows; };
    while (begin < end && continues(begin)) ++begin;  // the word of the previous run
    while (begin < end) {
      std::vector<Pos> suffixes;
      for (Row row = hits[begin].rows.begin; row < hits[begin].rows.end; ++row) {
        suffixes.push_back(static_cast<Pos>(index::locate(index, row)));
      }
      const auto targets = static_cast<std::ptrdiff_t>(suffixes.size());
      std::uint64_t word_end = begin;
      do suffixes.push_back(static_cast<Pos>(hits[word_end++].query));
      while (word_end < hits.size() && continues(word_end));
      if (options.uniqueness != Uniqueness::any) {
        const auto before = [&](Pos a, Pos b) { return precedes(bases, a, b); };
        std::sort(suffixes.begin() + targets, suffixes.end(), before);
        std::inplace_merge(suffixes.begin(), suffixes.begin() + targets, suffixes.end(), before);
      }
      collector.add(suffixes);
      begin = word_end;
    }
    parts[(end - 1) / hits_per_batch] = std::move(collector.join);
  });
  return assemble(parts, text, options, threads);
}

template WordJoin<std::uint32_t> join_words(const SequenceText&, const suffix::GenomeText&, const index::FmView&,
                                            const MatchOptions&, int);
template WordJoin<std::uint64_t> join_words(const SequenceText&, const suffix::GenomeText&, const index::FmView&,
                                            const MatchOptions&, int);

}  // namespace warpseed::overlap
