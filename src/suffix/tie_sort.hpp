// Orders suffixes with equal keys by the ranks of a difference cover.
#pragma once

#include <oneapi/tbb/parallel_sort.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "core/prefetch.hpp"
#include "core/small_sort.hpp"
#include "suffix/cover_ranks.hpp"
#include "suffix/key_word.hpp"
#include "suffix/rank_doubling.hpp"

namespace warpseed::suffix {

/// Orders the ties among sorted words. A comparison reads two ranks at random places, so that comparisons wait in a
/// queue while their ranks are fetched.
template <class Text, class Pos, class Slot>
class TieSort {
 public:
  using Layout = SuffixWords<Pos>;
  using Word = typename Layout::Word;

  explicit TieSort(const CoverOrder<Text, Slot>& order) : order_(order) {}

  /// words: sorted by their keys.
  void sort(Word* words, std::uint64_t count) {
    for_each_run(words, count, Layout::same_key, [&](std::uint64_t begin, std::uint64_t end) {
      if (end - begin == 2) {
        add_pair(words + begin);
      } else if (end - begin > 2) {
        add_group(words + begin, end - begin);
      }
    });
    finish_pairs();
    finish_groups();
  }

 private:
  static constexpr std::size_t in_flight = 32;
  static constexpr std::uint64_t many = 1 << 16;  // a group of these is sorted by all threads

  struct Pair {
    Word* words;
    const Slot *first, *second;  // their ranks
  };
  struct Group {
    Word* words;
    std::uint64_t count;
  };

  bool less(Word a, Word b) const { return order_.less(Layout::position(a), Layout::position(b)); }

  void add_pair(Word* words) {
    const TextPos a = Layout::position(words[0]), b = Layout::position(words[1]);
    if (order_.text.symbols_ahead(a) < Text::symbols || order_.text.symbols_ahead(b) < Text::symbols) {
      if (less(words[1], words[0])) std::swap(words[0], words[1]);
      return;
    }
    const unsigned step = Text::cover.step(a, b);
    const Pair pair = {words, order_.rank(a, step), order_.rank(b, step)};
    prefetch(pair.first), prefetch(pair.second);
    pairs_[pair_count_++] = pair;
    if (pair_count_ == in_flight) finish_pairs();
  }

  void finish_pairs() {
    for (std::size_t i = 0; i < pair_count_; ++i) {
      const Pair& pair = pairs_[i];
      const bool swap = *pair.second < *pair.first;
      const Word first = pair.words[swap], second = pair.words[!swap];
      pair.words[0] = first, pair.words[1] = second;
    }
    pair_count_ = 0;
  }

  void add_group(Word* words, std::uint64_t count) {
    if (count >= many) {
      tbb::parallel_sort(words, words + count, [this](Word a, Word b) { return less(a, b); });
      return;
    }
    const std::uint64_t fetched = std::min<std::uint64_t>(count, in_flight);
    for (std::uint64_t i = 0; i < fetched; ++i) {
      const Slot* rank = order_.rank(Layout::position(words[i]),
                                     Text::cover.step(Layout::position(words[i]), Layout::position(words[i])));
      prefetch(rank), prefetch(rank + Text::cover.size - 1);
    }
    groups_[group_count_++] = {words, count};
    group_rows_ += count;
    if (group_rows_ >= 2 * in_flight || group_count_ == in_flight) finish_groups();
  }

  void finish_groups() {
    const auto smaller = [this](Word a, Word b) { return less(a, b); };
    for (std::size_t i = 0; i < group_count_; ++i) {
      if (groups_[i].count < 16) {
        small_sort(groups_[i].words, static_cast<std::uint32_t>(groups_[i].count), smaller);
      } else {
        std::sort(groups_[i].words, groups_[i].words + groups_[i].count, smaller);
      }
    }
    group_count_ = 0, group_rows_ = 0;
  }

  CoverOrder<Text, Slot> order_;
  std::array<Pair, in_flight> pairs_;
  std::array<Group, in_flight> groups_;
  std::size_t pair_count_ = 0, group_count_ = 0;
  std::uint64_t group_rows_ = 0;
};

}  // namespace warpseed::suffix
