// Orders suffixes with equal keys by the ranks of a difference cover.
#pragma once

#include <oneapi/tbb/parallel_sort.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/prefetch.hpp"
#include "core/small_sort.hpp"
#include "suffix/key_runs.hpp"
#include "suffix/key_word.hpp"
#include "suffix/tied_suffix.hpp"

namespace warpseed::suffix {

/// Orders the ties among sorted words. The ranks of a suffix are at a random place, so that runs of equal keys wait in a
/// queue while their ranks are fetched.
template <class Text, class Pos, class Slot>
class TieSort {
 public:
  using Layout = SuffixWords<Pos>;
  using Word = typename Layout::Word;

  TieSort(const Text& text, const Slot* ranks) : text_(text), ranks_(ranks) {}

  /// words: sorted by their keys.
  void sort(std::span<Word> words) {
    for_each_run<Word>(words, Layout::same_key, [&](std::uint64_t begin, std::uint64_t end) {
      if (end - begin > 1) add(words.subspan(begin, end - begin));
    });
    finish();
  }

 private:
  using Tied = TiedSuffix<Text, Word, Slot>;

  static constexpr std::size_t in_flight = 64;    // suffixes whose ranks are being fetched
  static constexpr std::uint64_t many = 1 << 18;  // longer runs are sorted by all threads

  static Word position(Word word) { return Layout::position(word); }

  void add(std::span<Word> run) {
    if (run.size() > in_flight) return sort_long(run);
    if (waiting_ + run.size() > in_flight) finish();
    for (const Word word : run) {
      const Slot* ranks = ranks_ + Text::cover.slot_from(Layout::position(word));
      prefetch(ranks), prefetch(ranks + Text::cover.size - 1);
    }
    runs_[run_count_++] = run;
    waiting_ += run.size();
  }

  /// Sorts the runs that wait.
  void finish() {
    std::array<Tied, in_flight> tied;
    for (const std::span<Word> run : std::span(runs_).first(run_count_)) {
      for (std::size_t i = 0; i < run.size(); ++i) tied[i] = make(run[i]);
      small_sort(tied.data(), static_cast<std::uint32_t>(run.size()), Tied::less);
      for (std::size_t i = 0; i < run.size(); ++i) run[i] = tied[i].word;
    }
    run_count_ = waiting_ = 0;
  }

  Tied make(Word word) const { return Tied(text_, ranks_, word, Layout::position(word)); }

  void sort_long(std::span<Word> run) {
    if (run.size() > many) return sort_by_all(run);
    constexpr std::size_t ahead = 32;
    std::vector<Tied> tied(run.size());
    for (std::size_t i = 0; i < run.size(); ++i) {
      prefetch(ranks_ + Text::cover.slot_from(Layout::position(run[std::min(i + ahead, run.size() - 1)])));
      tied[i] = make(run[i]);
    }
    std::sort(tied.begin(), tied.end(), Tied::less);
    for (std::size_t i = 0; i < run.size(); ++i) run[i] = tied[i].word;
  }

  /// By all threads, without extra memory. Other work that this thread may take while it waits must not come here.
  void sort_by_all(std::span<Word> run) const {
    tbb::this_task_arena::isolate([&] {
      tbb::parallel_sort(run.begin(), run.end(), [this](Word a, Word b) { return Tied::less(make(a), make(b)); });
    });
  }

  const Text& text_;
  const Slot* ranks_;
  std::array<std::span<Word>, in_flight> runs_;
  std::size_t run_count_ = 0, waiting_ = 0;
};

}  // namespace warpseed::suffix
