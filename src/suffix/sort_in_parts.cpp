#include "suffix/sort_in_parts.hpp"

#include <fmt/format.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <vector>

#include "suffix/bucket_sort.hpp"
#include "suffix/cover_ranks.hpp"
#include "suffix/key_buckets.hpp"
#include "suffix/parts_needs.hpp"
#include "suffix/slots.hpp"
#include "suffix/tie_sort.hpp"
#include "warpseed/error.hpp"

namespace warpseed::suffix {

namespace {

template <class Text, class Pos, class Slot>
class PartSorter {
 public:
  PartSorter(const Text& text, const RowsSink<Pos>& sink) : text_(text), sink_(sink) {}

  /// most: suffixes that memory holds.
  void sort(std::uint64_t most) {
    const KeyBuckets buckets(text_, AllSlots{text_.size()});
    const std::vector<BucketRange> parts = plan(buckets, most);
    std::uint64_t room = Text::cover.slots(text_.size());
    for (const BucketRange& range : parts) room = std::max(room, range.suffixes);
    HugePageVector<Word> words(room);  // of the cover, then of each part
    const CoverRanks<Slot> ranks = cover_ranks<Text, Slot>(text_, words.data());
    for (const BucketRange& range : parts) {
      buckets.scatter(range, words.data(), Make{text_});
      sort_part(buckets, range, words.data(), ranks.data());
    }
  }

 private:
  using Layout = SuffixWords<Pos>;
  using Word = typename Layout::Word;

  /// Makes words of consecutive suffixes: the upstream base is the first of the key before.
  struct Make {
    const Text& text;
    TextPos next = ~TextPos{0};
    unsigned upstream = 0;

    Word operator()(TextPos at, std::uint64_t key) {
      const unsigned before = at == next ? upstream : text.upstream(at);
      next = at + 1, upstream = static_cast<unsigned>(key >> 62);
      return Layout::word(key, Word{at} << 2 | before);
    }
  };

  /// most: suffixes that memory holds.
  template <class Buckets>
  std::vector<BucketRange> plan(const Buckets& buckets, std::uint64_t most) const {
    const std::uint64_t least = buckets.largest(), capacity = std::min(most, std::max(least, usual_part(text_.size())));
    if (least > most) {
      throw IoError(
          fmt::format("{} suffixes begin alike, and the memory allowed holds {} at a time; allow more", least, most));
    }
    std::vector<BucketRange> parts;
    for (unsigned bucket = 0; bucket < bucket_count; ++bucket) {
      const std::uint64_t size = buckets.size_of(bucket);
      if (parts.empty() || parts.back().suffixes + size > capacity) parts.push_back({bucket, bucket, 0});
      parts.back().end = bucket + 1;
      parts.back().suffixes += size;
    }
    return parts;
  }

  template <class Buckets>
  void sort_part(const Buckets& buckets, const BucketRange& range, Word* words, const Slot* ranks) {
    using Ties = TieSort<Text, Pos, Slot>;
    tbb::enumerable_thread_specific<Ties> ties([&] { return Ties(text_, ranks); });
    const Row first = buckets.begin_of(range.begin);
    BucketSort<Layout>(buckets, range, words).run([&](std::uint64_t begin, std::uint64_t end) {
      const std::span<Word> rows(words + begin, end - begin);
      ties.local().sort(rows);
      sink_({first + begin, rows});
    });
  }

  const Text& text_;
  const RowsSink<Pos>& sink_;
};

}  // namespace

template <class Pos>
void sort_in_parts(const text::GenomeView& genome, const SeparatorView& separators, int threads, std::uint64_t bytes,
                   const RowsSink<Pos>& sink) {
  if (genome.text.size == 0) return;
  tbb::task_arena arena(threads);
  arena.execute([&] {
    const GenomeKeys text(genome, separators);
    const std::uint64_t other = parts_needs(genome.text.size, sizeof(Pos), threads).other_bytes;
    const std::uint64_t capacity = (bytes - std::min(bytes, other)) / sizeof(typename SuffixWords<Pos>::Word);
    PartSorter<GenomeKeys, Pos, Pos>(text, sink).sort(capacity);
  });
}

template void sort_in_parts(const text::GenomeView&, const SeparatorView&, int, std::uint64_t,
                            const RowsSink<std::uint32_t>&);
template void sort_in_parts(const text::GenomeView&, const SeparatorView&, int, std::uint64_t,
                            const RowsSink<std::uint64_t>&);

}  // namespace warpseed::suffix
