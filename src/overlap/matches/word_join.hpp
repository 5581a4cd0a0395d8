// The words by which matches begin, found in a suffix array or in the targets' FM-index: the CPU path.
#pragma once

#include <vector>

#include "index/fm_core.hpp"
#include "overlap/matches/match_finder.hpp"

namespace warpseed::overlap {

template <class Pos>
struct WordJoin {
  std::vector<WordStart<Pos>> starts;
  std::vector<std::uint64_t> begins = {0};
  std::vector<WordPartner<Pos>> partners;
  std::uint64_t shortest = 1;
  bool self = false;
  bool by_query = false;

  WordJoinView<Pos> view() const {
    return {std::span(starts), std::span(begins), std::span(partners), shortest, self, by_query};
  }
};

/// Goes through the suffix array once, on `threads` threads. Suffixes that share their first `min_length` bases stand
/// together; where they are of both sides and do not all follow one base, matches may begin.
template <class Pos>
WordJoin<Pos> join_words(const SequenceText& text, const suffix::GenomeText& bases, const std::vector<Pos>& suffixes,
                         const MatchOptions& options, int threads);

/// The same from the index of the targets, which are not sorted again: every word of the queries is searched there.
/// Where a word is not found, none is looked for that would contain what is missing. Queries and targets are two sides.
/// Cost: min_length less the k-mer table's k steps of backward search a query base at most, and on strange ground, as a
/// rule, one search for min_length less the length of a word found by chance.
template <class Pos>
WordJoin<Pos> join_words(const SequenceText& text, const suffix::GenomeText& bases, const index::FmView& index,
                         const MatchOptions& options, int threads);

}  // namespace warpseed::overlap
