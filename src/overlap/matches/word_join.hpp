// The words with which matches begin, from a suffix array or from the FM-index of the targets: the CPU path.
#pragma once

#include <vector>

#include "index/fm_core.hpp"
#include "overlap/matches/match_finder.hpp"
#include "warpseed/overlap.hpp"

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

/// Scans the suffix array once, on `threads` threads. Suffixes that share their first `min_length` bases are adjacent.
/// Matches may begin there if the suffixes come from both sides and do not all follow the same base.
template <class Pos>
WordJoin<Pos> join_words(const SequenceText& text, const suffix::GenomeText& bases, const std::vector<Pos>& suffixes,
                         const MatchOptions& options, int threads);

/// The same with the index of the targets, which are not sorted again: searches every word of the queries in it. After
/// a failed search, skips the words that contain the missing part. Queries and targets are two sides.
/// Cost: per query base at most min_length - k steps of backward search, k being that of the k-mer table; in unrelated
/// sequence usually one search per min_length - r bases, r being the length of a random hit.
template <class Pos>
WordJoin<Pos> join_words(const SequenceText& text, const suffix::GenomeText& bases, const index::FmView& index,
                         const MatchOptions& options, int threads);

}  // namespace warpseed::overlap
