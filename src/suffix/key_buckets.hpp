// Distributes suffixes to buckets by the first bits of their keys.
#pragma once

#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_for.h>

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "suffix/key_word.hpp"

namespace warpseed::suffix {

/// Neighbouring buckets and the number of their suffixes.
struct BucketRange {
  unsigned begin = 0, end = 0;
  std::uint64_t suffixes = 0;
};

/// Suffixes that are counted apart; for large texts fewer than 1024 blocks, for any number of threads the same.
inline std::uint64_t key_block(std::uint64_t suffixes) {
  return std::clamp<std::uint64_t>(suffixes / 256, 1 << 14, 1 << 22);
}

/// Memory of KeyBuckets, and of a thread that scatters.
inline std::uint64_t key_buckets_bytes(std::uint64_t suffixes) {
  return (suffixes / key_block(suffixes) + 2) * bucket_count * sizeof(std::uint64_t);
}
constexpr std::uint64_t scatter_lines_bytes = bucket_count * (64 + sizeof(std::uint64_t));

/// The suffixes of a text's slots in each bucket, counted by block of slots.
template <class Text, class Slots>
class KeyBuckets {
 public:
  /// Runs in the caller's task arena.
  KeyBuckets(const Text& text, const Slots& slots)
      : text_(text),
        slots_(slots),
        block_(key_block(slots.count)),
        blocks_(slots.count / block_ + 1),
        before_(blocks_ * bucket_count),
        begins_(bucket_count + 1) {
    count();
    add_up();
  }

  /// Suffixes in the buckets before this one; bucket: 0..bucket_count.
  std::uint64_t begin_of(unsigned bucket) const { return begins_[bucket]; }
  std::uint64_t size_of(unsigned bucket) const { return begins_[bucket + 1] - begins_[bucket]; }
  std::uint64_t largest() const {
    std::uint64_t most = 0;
    for (unsigned bucket = 0; bucket < bucket_count; ++bucket) most = std::max(most, size_of(bucket));
    return most;
  }
  BucketRange all() const { return {0, bucket_count, slots_.count}; }

  /// Writes make(slot, key) of every suffix in the range to out[0..range.suffixes), bucket by bucket. Within a bucket
  /// in order of slots. out: at the start of a cache line.
  template <class Word, class Make>
  void scatter(const BucketRange& range, Word* out, Make make) const {
    tbb::enumerable_thread_specific<Lines<Word>> lines;
    tbb::parallel_for(std::uint64_t{0}, blocks_, [&](std::uint64_t block) {
      Lines<Word>& mine = lines.local();
      mine.start(out, range, begins_.data(), &before_[block * bucket_count]);
      auto made = make;  // may keep a state from slot to slot
      text_.for_each_key(slots_, begin(block), end(block), [&](std::uint64_t slot, std::uint64_t key) {
        const Word word = made(slot, key);
        const unsigned bucket = bucket_of(key);
        if (bucket - range.begin < range.end - range.begin) mine.put(bucket - range.begin, word);
      });
      mine.finish();
    });
  }

 private:
  /// Collects words by bucket until they fill a cache line of the output.
  template <class Word>
  class Lines {
   public:
    void start(Word* out, const BucketRange& range, const std::uint64_t* begins, const std::uint64_t* before) {
      out_ = out, buckets_ = range.end - range.begin;
      lines_.resize(buckets_), first_.resize(buckets_);
      for (unsigned i = 0; i < buckets_; ++i) {
        const unsigned bucket = range.begin + i;
        first_[i] = begins[bucket] - begins[range.begin] + before[bucket];
        lines_[i].words[last] = first_[i];
      }
    }

    void put(unsigned bucket, Word word) {
      Line& line = lines_[bucket];
      const auto at = static_cast<std::uint64_t>(line.words[last]);
      if (at % per_line != last) [[likely]] {
        line.words[at % per_line] = word;
      } else {
        line.words[last] = word;
        flush(line, first_[bucket], at + 1);
      }
      line.words[last] = at + 1;
    }

    void finish() {
      for (unsigned i = 0; i < buckets_; ++i) {
        const auto end = static_cast<std::uint64_t>(lines_[i].words[last]);
        if (end % per_line != 0) flush(lines_[i], first_[i], end);
      }
      hwy::FlushStream();
    }

   private:
    static constexpr std::uint64_t per_line = 64 / sizeof(Word), last = per_line - 1;

    /// The next place of the bucket in the output is in the last word, until a word comes there.
    struct alignas(64) Line {
      Word words[per_line];
    };

    /// Writes the words of the line that ends with or before place `end`, from place `first` on.
    void flush(const Line& line, std::uint64_t first, std::uint64_t end) {
      const std::uint64_t begin = (end - 1) / per_line * per_line;
      if (begin >= first && end == begin + per_line) return stream(line, out_ + begin);
      for (std::uint64_t at = std::max(begin, first); at < end; ++at) out_[at] = line.words[at % per_line];
    }

    /// Past the caches: the output is read much later. HWY_ATTR: on arm64 Highway asks for more than the compiler's target.
    static HWY_ATTR void stream(const Line& line, Word* out) {
      namespace hn = hwy::HWY_NAMESPACE;
      constexpr hn::FixedTag<std::uint64_t, 2> two;
      const auto* from = reinterpret_cast<const std::uint64_t*>(line.words);
      auto* to = reinterpret_cast<std::uint64_t*>(out);
      for (unsigned i = 0; i < 8; i += 2) hn::Stream(hn::Load(two, from + i), two, to + i);
    }

    Word* out_ = nullptr;
    unsigned buckets_ = 0;
    std::vector<Line> lines_;
    std::vector<std::uint64_t> first_;
  };

  std::uint64_t begin(std::uint64_t block) const { return block * block_; }
  std::uint64_t end(std::uint64_t block) const { return std::min(slots_.count, (block + 1) * block_); }

  void count() {
    tbb::parallel_for(std::uint64_t{0}, blocks_, [&](std::uint64_t block) {
      std::uint64_t* counts = &before_[block * bucket_count];
      text_.for_each_key(slots_, begin(block), end(block),
                         [&](std::uint64_t, std::uint64_t key) { ++counts[bucket_of(key)]; });
    });
  }

  /// Turns the counts of blocks into sums over the blocks before.
  void add_up() {
    constexpr unsigned together = 64;  // neighbouring buckets share cache lines
    tbb::parallel_for(0U, bucket_count / together, [&](unsigned group) {
      for (std::uint64_t block = 0; block < blocks_; ++block) {
        std::uint64_t* counts = &before_[block * bucket_count];
        for (unsigned bucket = group * together; bucket < (group + 1) * together; ++bucket) {
          const std::uint64_t count = counts[bucket];
          counts[bucket] = begins_[bucket + 1];
          begins_[bucket + 1] += count;
        }
      }
    });
    for (unsigned bucket = 0; bucket < bucket_count; ++bucket) begins_[bucket + 1] += begins_[bucket];
  }

  const Text& text_;
  Slots slots_;
  std::uint64_t block_, blocks_;
  std::vector<std::uint64_t> before_;  // [blocks_ * bucket_count] of a bucket's suffixes, those in earlier blocks
  std::vector<std::uint64_t> begins_;  // [bucket_count + 1]
};

}  // namespace warpseed::suffix
