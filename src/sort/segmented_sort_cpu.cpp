#include "sort/segmented_sort_cpu.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "core/parallel.hpp"

namespace warpseed::sort {

namespace {

constexpr std::uint64_t max_short_length = 1 << 16;  // sorted by one thread, within its level-2 cache
constexpr std::uint64_t longest_by_insertion = 24;
constexpr std::uint64_t segments_per_block = 256;  // maximum
constexpr std::uint64_t keys_per_block = 1 << 18;  // of a long segment: long enough to need few counters per key
constexpr unsigned digit_bits = 8, digits = 1U << digit_bits;

struct Segment {
  std::uint64_t begin, end;
  std::uint64_t size() const { return end - begin; }
};

/// The pairs [segment.begin, segment.end) of both arrays, in place.
template <class Value>
struct Pairs {
  std::uint32_t* keys;
  Value* values;  // null if there are none

  /// Insertion sort; stable.
  void sort_few(const Segment& segment) const {
    for (std::uint64_t i = segment.begin + 1; i < segment.end; ++i) {
      const std::uint32_t key = keys[i];
      std::uint64_t at = i;
      if constexpr (has_values<Value>) {
        const Value value = values[i];
        for (; at > segment.begin && keys[at - 1] > key; --at) keys[at] = keys[at - 1], values[at] = values[at - 1];
        values[at] = value;
      } else {
        for (; at > segment.begin && keys[at - 1] > key; --at) keys[at] = keys[at - 1];
      }
      keys[at] = key;
    }
  }

  /// Sorts numbers composed of key and index: all differ, so any sort is stable.
  void sort_by_key_and_index(const Segment& segment) const {
    std::uint32_t* const first = keys + segment.begin;
    if constexpr (!has_values<Value>) {
      std::sort(first, keys + segment.end);
    } else {
      std::vector<std::uint64_t> numbers(segment.size());
      for (std::uint64_t i = 0; i < numbers.size(); ++i) numbers[i] = std::uint64_t{first[i]} << 32 | i;
      std::sort(numbers.begin(), numbers.end());
      const std::vector<Value> unsorted(values + segment.begin, values + segment.end);
      for (std::uint64_t i = 0; i < numbers.size(); ++i) {
        first[i] = static_cast<std::uint32_t>(numbers[i] >> 32);
        values[segment.begin + i] = unsorted[numbers[i] & 0xFFFFFFFF];
      }
    }
  }
};

template <class Value>
class CpuSorter {
 public:
  CpuSorter(Pairs<Value> pairs, int threads) : pairs_(pairs), threads_(threads) {}

  void sort(std::span<const std::uint64_t> offsets) {
    auto parts = sort_once(offsets.size() - 1, [&](std::uint64_t i) { return Segment{offsets[i], offsets[i + 1]}; });
    while (!parts.empty()) {
      parts = sort_once(parts.size(), [&](std::uint64_t i) { return parts[i]; });
    }
  }

 private:
  /// Sorts the short ones of `count` segments and splits the others into parts that are still to be sorted.
  template <class SegmentAt>
  std::vector<Segment> sort_once(std::uint64_t count, const SegmentAt& segment_at) {
    sort_short(count, segment_at);
    std::vector<Segment> parts;
    for (std::uint64_t i = 0; i < count; ++i) {
      if (segment_at(i).size() > max_short_length) cut(segment_at(i), parts);
    }
    return parts;
  }

  template <class SegmentAt>
  void sort_short(std::uint64_t count, const SegmentAt& segment_at) const {
    const std::uint64_t shares = 8 * static_cast<std::uint64_t>(threads_);  // balances few long ones, too
    const std::uint64_t block = std::clamp<std::uint64_t>(count / shares, 1, segments_per_block);
    for_blocks(threads_, count, block, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end; ++i) {
        const Segment segment = segment_at(i);
        if (segment.size() <= 1 || segment.size() > max_short_length) continue;
        segment.size() <= longest_by_insertion ? pairs_.sort_few(segment) : pairs_.sort_by_key_and_index(segment);
      }
    });
  }

  /// Calls work(block number, begin, end) for each block of a segment.
  template <class Work>
  void for_segment_blocks(const Segment& segment, const Work& work) const {
    for_blocks(threads_, segment.size(), keys_per_block, [&](std::uint64_t begin, std::uint64_t end) {
      work(begin / keys_per_block, segment.begin + begin, segment.begin + end);
    });
  }

  KeyCut cut_of(const Segment& segment, std::uint64_t blocks) const {
    std::vector<std::array<std::uint32_t, 2>> ranges(blocks);
    for_segment_blocks(segment, [&](std::uint64_t block, std::uint64_t begin, std::uint64_t end) {
      const auto [lowest, highest] = std::minmax_element(pairs_.keys + begin, pairs_.keys + end);
      ranges[block] = {*lowest, *highest};
    });
    std::uint32_t lowest = ranges[0][0], highest = ranges[0][1];
    for (const auto& range : ranges) lowest = std::min(lowest, range[0]), highest = std::max(highest, range[1]);
    return KeyCut::top_bits(lowest, highest, digit_bits);
  }

  /// One stable counting sort by the upper bits in which the segment's keys differ. Adds the parts that have bits left
  /// to sort by.
  void cut(const Segment& segment, std::vector<Segment>& parts) {
    const std::uint64_t blocks = (segment.size() + keys_per_block - 1) / keys_per_block;
    const KeyCut cut = cut_of(segment, blocks);
    if (cut.bits == 0) return;  // all keys are equal
    std::vector<std::array<std::uint64_t, digits>> starts(blocks);
    for_segment_blocks(segment, [&](std::uint64_t block, std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end; ++i) ++starts[block][cut.digit(pairs_.keys[i])];
    });
    std::uint64_t before = 0;
    for (unsigned digit = 0; digit < digits; ++digit) {
      const std::uint64_t begin = before;
      for (auto& of_block : starts) before += std::exchange(of_block[digit], before);
      if (cut.shift > 0 && before - begin > 1) parts.push_back({segment.begin + begin, segment.begin + before});
    }
    move(segment, cut, starts);
  }

  void move(const Segment& segment, const KeyCut& cut, std::vector<std::array<std::uint64_t, digits>>& starts) {
    moved_keys_.resize(std::max<std::size_t>(moved_keys_.size(), segment.size()));
    if constexpr (has_values<Value>) moved_values_.resize(moved_keys_.size());
    for_segment_blocks(segment, [&](std::uint64_t block, std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end; ++i) {
        const std::uint64_t to = starts[block][cut.digit(pairs_.keys[i])]++;
        moved_keys_[to] = pairs_.keys[i];
        if constexpr (has_values<Value>) moved_values_[to] = pairs_.values[i];
      }
    });
    for_segment_blocks(segment, [&](std::uint64_t, std::uint64_t begin, std::uint64_t end) {
      const std::uint64_t from = begin - segment.begin, size = end - begin;
      std::copy_n(moved_keys_.data() + from, size, pairs_.keys + begin);
      if constexpr (has_values<Value>) std::copy_n(moved_values_.data() + from, size, pairs_.values + begin);
    });
  }

  Pairs<Value> pairs_;
  int threads_;
  std::vector<std::uint32_t> moved_keys_;
  std::vector<Value> moved_values_;
};

}  // namespace

template <class Value>
void sort_segments_on_cpu(std::span<std::uint32_t> keys, std::span<Value> values,
                          std::span<const std::uint64_t> offsets, int threads) {
  CpuSorter<Value>({keys.data(), values.data()}, threads).sort(offsets);
}

template void sort_segments_on_cpu(std::span<std::uint32_t>, std::span<NoValue>, std::span<const std::uint64_t>, int);
template void sort_segments_on_cpu(std::span<std::uint32_t>, std::span<std::uint32_t>, std::span<const std::uint64_t>,
                                   int);
template void sort_segments_on_cpu(std::span<std::uint32_t>, std::span<std::uint64_t>, std::span<const std::uint64_t>,
                                   int);

}  // namespace warpseed::sort
