#include "overlap/matches/word_join.hpp"

#include "core/parallel.hpp"
#include "overlap/matches/word_collector.hpp"

namespace warpseed::overlap {

namespace {

/// Joins the words whose first row is in [begin, end).
template <class Pos>
WordJoin<Pos> join_rows(const SequenceText& text, const suffix::GenomeText& bases, std::span<const Pos> suffixes,
                        const MatchOptions& options, std::uint64_t begin, std::uint64_t end) {
  const auto same_word = [&](std::uint64_t row) {
    return row > 0 &&
           suffix::shared_symbols(bases, suffixes[row - 1], suffixes[row], 0, options.min_length) >= options.min_length;
  };
  WordCollector<Pos> collector(text, bases, options);
  while (begin < end && same_word(begin)) ++begin;
  while (begin < end) {
    std::uint64_t word_end = begin + 1;
    while (word_end < suffixes.size() && same_word(word_end)) ++word_end;
    if (word_end - begin > 1) collector.add(suffixes.subspan(begin, word_end - begin));
    begin = word_end;
  }
  return std::move(collector.join);
}

}  // namespace

template <class Pos>
WordJoin<Pos> join_words(const SequenceText& text, const suffix::GenomeText& bases, const std::vector<Pos>& suffixes,
                         const MatchOptions& options, int threads) {
  constexpr std::uint64_t rows_per_batch = 1 << 20;
  std::vector<WordJoin<Pos>> parts(suffixes.size() / rows_per_batch + 1);
  for_blocks(threads, suffixes.size(), rows_per_batch, [&](std::uint64_t begin, std::uint64_t end) {
    parts[begin / rows_per_batch] = join_rows<Pos>(text, bases, suffixes, options, begin, end);
  });
  return assemble(parts, text, options, threads);
}

template WordJoin<std::uint32_t> join_words(const SequenceText&, const suffix::GenomeText&,
                                            const std::vector<std::uint32_t>&, const MatchOptions&, int);
template WordJoin<std::uint64_t> join_words(const SequenceText&, const suffix::GenomeText&,
                                            const std::vector<std::uint64_t>&, const MatchOptions&, int);

}  // namespace warpseed::overlap
