#include "suffix/cover_ranks.hpp"

#include <mutex>

#include "suffix/key_buckets.hpp"
#include "suffix/rank_doubling.hpp"
#include "suffix/slots.hpp"
#include "suffix/word_sort.hpp"

namespace warpseed::suffix {

namespace {

template <class Text, class Slot>
class CoverSort {
 public:
  explicit CoverSort(const Text& text)
      : text_(text), slots_{Text::cover.slots(text.size()), Text::cover}, words_(slots_.count), ranks_(slots_.count) {}

  CoverRanks<Slot> sort() {
    const KeyBuckets buckets(text_, slots_);
    buckets.scatter(buckets.all(), words_.data(),
                    [](std::uint64_t slot, std::uint64_t key) { return Layout::word(key, static_cast<Slot>(slot)); });
    std::vector<std::vector<TiedRows>> found(bucket_count);
    for_each_bucket(buckets, [&](unsigned bucket) {
      name_runs({buckets.begin_of(bucket), buckets.begin_of(bucket + 1)}, found[bucket]);
    });
    std::vector<TiedRows> tied;
    for (const std::vector<TiedRows>& part : found) tied.insert(tied.end(), part.begin(), part.end());
    RankDoubling<Slot>(words_.data(), ranks_.data()).refine(std::move(tied), Text::cover.size);
    return std::move(ranks_);
  }

 private:
  using Layout = SlotWords<Slot>;
  using Word = typename Layout::Word;

  template <class Buckets, class Done>
  void for_each_bucket(const Buckets& buckets, const Done& done) {
    const std::uint64_t large = std::max<std::uint64_t>(slots_.count / 256, 1 << 16);
    tbb::enumerable_thread_specific<std::vector<Word>> scratch;
    for (unsigned bucket = 0; bucket < bucket_count; ++bucket) {
      if (buckets.size_of(bucket) <= large) continue;
      Word* words = words_.data() + buckets.begin_of(bucket);
      tbb::parallel_sort(words, words + buckets.size_of(bucket));
      done(bucket);
    }
    tbb::parallel_for(0U, bucket_count, [&](unsigned bucket) {
      const std::uint64_t size = buckets.size_of(bucket);
      if (size > large || size == 0) return;
      std::vector<Word>& mine = scratch.local();
      if (mine.size() < size) mine.resize(size);
      WordSort<Word>::sort(words_.data() + buckets.begin_of(bucket), mine.data(), size, Layout::payload_bits,
                           Layout::bits);
      done(bucket);
    });
  }

  /// Ranks the runs of equal keys in a sorted bucket and lists those that are tied.
  void name_runs(const TiedRows& bucket, std::vector<TiedRows>& tied) {
    for_each_run(&words_[bucket.begin], bucket.count(), Layout::same_key, [&](std::uint64_t begin, std::uint64_t end) {
      const TiedRows run = {bucket.begin + begin, bucket.begin + end};
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
  std::vector<Word, HugePageAllocator<Word>> words_;
  CoverRanks<Slot> ranks_;
};

}  // namespace

template <class Text, class Slot>
CoverRanks<Slot> cover_ranks(const Text& text) {
  return CoverSort<Text, Slot>(text).sort();
}

template CoverRanks<std::uint32_t> cover_ranks<GenomeKeys>(const GenomeKeys&);
template CoverRanks<std::uint64_t> cover_ranks<GenomeKeys>(const GenomeKeys&);

}  // namespace warpseed::suffix
