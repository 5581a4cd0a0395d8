// Sorts the buckets of words that KeyBuckets has filled, each in a core's cache.
#pragma once

#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_sort.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "suffix/key_buckets.hpp"
#include "suffix/word_sort.hpp"

namespace warpseed::suffix {

/// Larger buckets are sorted by all threads together; for others each thread has scratch memory of that size.
inline std::uint64_t large_bucket_words(std::uint64_t suffixes) {
  return std::clamp<std::uint64_t>(suffixes / 256, 1 << 16, 0xFFFFFFFF);
}

/// Layout: of the words.
template <class Layout>
class BucketSort {
 public:
  using Word = typename Layout::Word;

  /// words: those of the buckets in `range`. Runs in the caller's task arena.
  template <class Buckets>
  BucketSort(const Buckets& buckets, const BucketRange& range, Word* words)
      : words_(words), large_(large_bucket_words(buckets.all().suffixes)) {
    const std::uint64_t first = buckets.begin_of(range.begin);
    for (unsigned bucket = range.begin; bucket < range.end; ++bucket) {
      if (buckets.size_of(bucket) > 0)
        pieces_.push_back({buckets.begin_of(bucket) - first, buckets.begin_of(bucket + 1) - first});
    }
  }

  /// Sorts, and calls done(begin, end) for words [begin, end) of one bucket, all those with the same keys together; by
  /// several threads at once.
  template <class Done>
  void run(const Done& done) {
    std::sort(pieces_.begin(), pieces_.end(), [](const Piece& a, const Piece& b) { return a.size() > b.size(); });
    const auto small = std::find_if(pieces_.begin(), pieces_.end(), [&](const Piece& a) { return a.size() <= large_; });
    for (auto piece = pieces_.begin(); piece != small; ++piece) sort_large(*piece, done);
    tbb::enumerable_thread_specific<std::vector<Word>> scratch;
    std::atomic<std::uint64_t> next = static_cast<std::uint64_t>(small - pieces_.begin());
    tbb::parallel_for(0, tbb::this_task_arena::max_concurrency(), [&](int) {
      std::vector<Word>& mine = scratch.local();
      for (std::uint64_t i = next++; i < pieces_.size(); i = next++) {  // the largest ones first: no thread ends late
        const Piece& piece = pieces_[i];
        if (mine.size() < piece.size()) mine.resize(piece.size());
        WordSort<Word>::sort(words_ + piece.begin, mine.data(), piece.size(), Layout::payload_bits, Layout::bits);
        done(piece.begin, piece.end);
      }
    });
  }

 private:
  struct Piece {
    std::uint64_t begin, end;
    std::uint64_t size() const { return end - begin; }
  };

  /// In place: no other bucket is being sorted.
  template <class Done>
  void sort_large(const Piece& piece, const Done& done) {
    constexpr std::uint64_t least_words = 1 << 14;  // of a task
    tbb::parallel_sort(words_ + piece.begin, words_ + piece.end);
    std::vector<std::uint64_t> borders = {piece.begin};
    while (borders.back() < piece.end) borders.push_back(end_of_runs(borders.back() + least_words, piece.end));
    tbb::parallel_for(std::uint64_t{1}, borders.size(), [&](std::uint64_t i) { done(borders[i - 1], borders[i]); });
  }

  /// The first end of a run from `at` on.
  std::uint64_t end_of_runs(std::uint64_t at, std::uint64_t end) const {
    if (at >= end) return end;
    const Word key = words_[at - 1] >> Layout::payload_bits;
    const auto same = [&](Word word) { return word >> Layout::payload_bits == key; };
    return static_cast<std::uint64_t>(std::partition_point(words_ + at, words_ + end, same) - words_);
  }

  Word* words_;
  std::uint64_t large_;
  std::vector<Piece> pieces_;
};

}  // namespace warpseed::suffix
