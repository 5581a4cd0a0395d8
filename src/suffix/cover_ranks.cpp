#include "suffix/cover_ranks.hpp"

#include <algorithm>
#include <utility>

#include "suffix/bucket_sort.hpp"
#include "suffix/key_buckets.hpp"
#include "suffix/key_runs.hpp"
#include "suffix/rank_doubling.hpp"
#include "suffix/slots.hpp"

namespace warpseed::suffix {

namespace {

template <class Text, class Slot>
class CoverSort {
 public:
  CoverSort(const Text& text, typename SlotWords<Slot>::Word* words)
      : text_(text), slots_{Text::cover.slots(text.size()), Text::cover}, words_(words), ranks_(slots_.count) {}

  CoverRanks<Slot> sort() {
    const KeyBuckets buckets(text_, slots_);
    buckets.scatter(buckets.all(), words_,
                    [](std::uint64_t slot, std::uint64_t key) { return Layout::word(key, static_cast<Slot>(slot)); });
    tbb::enumerable_thread_specific<std::vector<TiedRows>> found;
    BucketSort<Layout>(buckets, buckets.all(), words_).run([&](std::uint64_t begin, std::uint64_t end) {
      name_runs({begin, end}, found.local());
    });
    std::vector<TiedRows> tied;
    for (const std::vector<TiedRows>& part : found) tied.insert(tied.end(), part.begin(), part.end());
    RankDoubling<Slot>(words_, ranks_.data()).refine(std::move(tied), Text::cover.size);
    return std::move(ranks_);
  }

 private:
  using Layout = SlotWords<Slot>;
  using Word = typename Layout::Word;

  /// Ranks the runs of equal keys in sorted rows and lists those that are tied.
  void name_runs(const TiedRows& rows, std::vector<TiedRows>& tied) {
    const std::span<const Word> words(&words_[rows.begin], rows.count());
    for_each_run(words, Layout::same_key, [&](std::uint64_t begin, std::uint64_t end) {
      const TiedRows run = {rows.begin + begin, rows.begin + end};
      const std::uint64_t first_tied = run.count() == 1 ? run.end : run.begin + sort_ended(run);
      for (std::uint64_t row = run.begin; row < run.end; ++row) {
        ranks_[Layout::slot(words_[row])] = static_cast<Slot>(std::min(row, first_tied));
      }
      if (run.end - first_tied > 1) tied.push_back({first_tied, run.end});
    });
  }

  /// Moves the suffixes that end within their keys to the front, in order; returns their number.
  std::uint64_t sort_ended(const TiedRows& run) {
    const auto ahead = [&](Word word) { return text_.symbols_ahead(slots_.position(Layout::slot(word))); };
    Word *begin = &words_[run.begin], *end = begin + run.count();
    Word* past = std::partition(begin, end, [&](Word word) { return ahead(word) < Text::symbols; });
    std::sort(begin, past, [&](Word a, Word b) {
      const unsigned a_ahead = ahead(a), b_ahead = ahead(b);
      return a_ahead != b_ahead ? a_ahead < b_ahead : Layout::slot(a) < Layout::slot(b);
    });
    return static_cast<std::uint64_t>(past - begin);
  }

  const Text& text_;
  CoverSlots slots_;
  Word* words_;
  CoverRanks<Slot> ranks_;
};

}  // namespace

template <class Text, class Slot>
CoverRanks<Slot> cover_ranks(const Text& text, typename SlotWords<Slot>::Word* words) {
  return CoverSort<Text, Slot>(text, words).sort();
}

template CoverRanks<std::uint32_t> cover_ranks<GenomeKeys>(const GenomeKeys&, std::uint64_t*);
template CoverRanks<std::uint64_t> cover_ranks<GenomeKeys>(const GenomeKeys&, DoubleWord*);

}  // namespace warpseed::suffix
