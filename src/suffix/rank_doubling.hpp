// Prefix doubling of suffixes that are still tied, in parallel.
#pragma once

#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_sort.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/prefetch.hpp"
#include "suffix/key_runs.hpp"
#include "suffix/key_word.hpp"

namespace warpseed::suffix {

/// Rows [begin, end) of suffixes that are equal as far as they have been compared. Their rank is `begin`.
struct TiedRows {
  std::uint64_t begin = 0, end = 0;

  std::uint64_t count() const { return end - begin; }
};

/// Larsson and Sadakane, "Faster suffix sorting", Theor. Comput. Sci. 2007. Ranks change only between rounds, so that
/// every thread reads the same ones.
template <class Slot>
class RankDoubling {
 public:
  using Layout = SlotWords<Slot>;
  using Word = typename Layout::Word;

  /// words: [slots] by row, the slot in the low bits; ranks: [slots] by slot, equal for tied suffixes.
  RankDoubling(Word* words, Slot* ranks) : words_(words), ranks_(ranks) {}

  /// Makes all ranks different. tied: the groups of tied suffixes; step: slots to where comparison goes on.
  void refine(std::vector<TiedRows> tied, std::uint64_t step) {
    for (; !tied.empty(); step *= 2) {
      for_groups(tied, [&](std::uint64_t, const TiedRows& rows) { sort(rows, step); });
      tied = split(tied);
    }
  }

 private:
  static constexpr std::uint64_t groups_each = 1024;   // for a task
  static constexpr std::uint64_t many_rows = 1 << 16;  // a group of these is sorted by all threads
  static constexpr std::uint64_t few_rows = 24;

  template <class Visit>
  static void for_groups(const std::vector<TiedRows>& tied, const Visit& visit) {
    const std::uint64_t tasks = (tied.size() + groups_each - 1) / groups_each;
    tbb::parallel_for(std::uint64_t{0}, tasks, [&](std::uint64_t task) {
      const std::uint64_t end = std::min<std::uint64_t>(tied.size(), (task + 1) * groups_each);
      for (std::uint64_t i = task * groups_each; i < end; ++i) visit(task, tied[i]);
    });
  }

  /// Sorts a group by the ranks a step further.
  void sort(const TiedRows& rows, std::uint64_t step) const {
    Word* words = words_ + rows.begin;
    const std::uint64_t count = rows.count();
    for (std::uint64_t i = 0; i < count; ++i) {
      constexpr std::uint64_t ahead = 24;
      prefetch(ranks_ + Layout::slot(words_[std::min(rows.begin + i + ahead, rows.end - 1)]) + step);
      const Slot slot = Layout::slot(words[i]);
      words[i] = Word{ranks_[slot + step]} << Layout::payload_bits | slot;
    }
    if (count == 2) {
      if (words[1] < words[0]) std::swap(words[0], words[1]);
    } else if (count < many_rows) {
      std::sort(words, words + count);
    } else {
      tbb::parallel_sort(words, words + count);
    }
  }

  /// Gives the runs in each sorted group their ranks; returns those that are still tied.
  std::vector<TiedRows> split(const std::vector<TiedRows>& tied) const {
    std::vector<std::vector<TiedRows>> found(tied.size() / groups_each + 1);
    for_groups(tied, [&](std::uint64_t task, const TiedRows& rows) {
      const std::span<const Word> words(words_ + rows.begin, rows.count());
      for_each_run(words, Layout::same_key, [&](std::uint64_t begin, std::uint64_t end) {
        name({rows.begin + begin, rows.begin + end});
        if (end - begin > 1) found[task].push_back({rows.begin + begin, rows.begin + end});
      });
    });
    std::vector<TiedRows> left;
    for (const std::vector<TiedRows>& part : found) left.insert(left.end(), part.begin(), part.end());
    return left;
  }

  void name(const TiedRows& rows) const {
    for (std::uint64_t row = rows.begin; row < rows.end; ++row) {
      ranks_[Layout::slot(words_[row])] = static_cast<Slot>(rows.begin);
    }
  }

  Word* words_;
  Slot* ranks_;
};

}  // namespace warpseed::suffix
