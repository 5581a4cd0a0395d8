#include "suffix/rmq.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "core/parallel.hpp"
#include "core/prefetch.hpp"
#include "suffix/entry.hpp"

namespace warpseed::suffix {

namespace {

constexpr std::uint64_t entries_at_once = 1 << 15;
constexpr std::uint64_t queries_at_once = 1 << 14;
constexpr std::size_t overlapped = 32;  // queries in flight

constexpr std::uint64_t whole_nodes(std::uint64_t entries) {
  return (entries + 7) / 8 * 8;
}

template <class Value>
void require_ranges(std::span<const IndexRange<Value>> ranges, std::uint64_t results, std::uint64_t size) {
  if (results != ranges.size()) throw std::invalid_argument("RangeMinimum: one result for every range");
  const bool right = std::all_of(ranges.begin(), ranges.end(),
                                 [&](const auto& range) { return range.begin < range.end && range.end <= size; });
  if (!right) throw std::invalid_argument("RangeMinimum: a range that is empty or goes beyond the array");
}

/// Prefetches what a walk reads next: a node may span two cache lines.
template <class Value, class Walk>
void prefetch(const RmqView<Value>& rmq, const Walk& walk) {
  if (walk.level() >= rmq_top) return;
  const Value* node = rmq.levels[walk.level()] + 8 * walk.number();
  warpseed::prefetch(node);
  warpseed::prefetch(node + 7);
}

/// Interleaves several walks, one step each; a finished one is replaced by the next query.
/// answer(walk): its result.
template <bool with_position, class Value, class Answer>
void walk_all(const RmqView<Value>& rmq, std::span<const IndexRange<Value>> ranges, std::span<Value> results,
              Answer answer) {
  struct Slot {
    RmqWalk<RmqView<Value>, with_position> walk;
    std::size_t query = 0;
  };
  std::array<Slot, overlapped> slots;
  std::size_t next = 0, open = std::min(overlapped, ranges.size());
  const auto start = [&](Slot& slot) {
    slot = {{ranges[next].begin, ranges[next].end}, next};
    prefetch(rmq, slot.walk);
    ++next;
  };
  for (std::size_t i = 0; i < open; ++i) start(slots[i]);
  while (open > 0) {
    for (std::size_t i = 0; i < open; ++i) {
      Slot& slot = slots[i];
      slot.walk.step(rmq);
      if (!slot.walk.done()) {
        prefetch(rmq, slot.walk);
        continue;
      }
      results[slot.query] = answer(slot.walk);
      if (next < ranges.size())
        start(slot);
      else
        slot = slots[--open], --i;
    }
  }
}

/// Runs blocks of queries on threads.
template <class Value, class Ask>
void ask_all(const RmqView<Value>& rmq, std::span<const IndexRange<Value>> ranges, std::span<Value> results,
             int threads, Ask ask) {
  require_ranges(ranges, results.size(), rmq.size);
  for_blocks(threads, ranges.size(), queries_at_once, [&](std::uint64_t begin, std::uint64_t end) {
    ask(rmq, ranges.subspan(begin, end - begin), results.subspan(begin, end - begin));
  });
}

}  // namespace

template <class Value>
RangeMinimum<Value>::RangeMinimum(std::span<const Value> values, int threads) : values_(values) {
  for (unsigned level = 1; level < rmq_top; ++level) {
    std::vector<Value>& entries = levels_[level - 1];
    entries.resize(whole_nodes(rmq_level_size(values.size(), level)));
    const RmqView<Value> below = view();
    for_blocks(threads, entries.size(), entries_at_once, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end; ++i) entries[i] = rmq_level_entry(below, level, i);
    });
  }
  const std::uint64_t width = rmq_level_size(values.size(), rmq_top);
  table_.resize(rmq_table_rows(width) * width);
  const RmqView<Value> below = view();
  for (unsigned row = 0; row < rmq_table_rows(width); ++row) {
    RmqEntry<Value>* entries = table_.data() + row * width;
    const RmqEntry<Value>* above = row == 0 ? nullptr : entries - width;
    for_blocks(threads, width, entries_at_once, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end; ++i) entries[i] = rmq_table_entry(below, above, row, i);
    });
  }
}

template <class Value>
RmqView<Value> RangeMinimum<Value>::view() const {
  RmqView<Value> view;
  view.levels[0] = values_.data();
  for (unsigned level = 1; level < rmq_top; ++level) view.levels[level] = levels_[level - 1].data();
  view.table = table_.data();
  view.size = values_.size();
  view.table_width = rmq_level_size(values_.size(), rmq_top);
  return view;
}

template <class Value>
std::uint64_t RangeMinimum<Value>::extra_bytes() const {
  std::uint64_t bytes = table_.size() * sizeof(RmqEntry<Value>);
  for (const auto& entries : levels_) bytes += entries.size() * sizeof(Value);
  return bytes;
}

template <class Value>
void range_minima(const RmqView<Value>& rmq, std::span<const IndexRange<Value>> ranges, std::span<Value> results) {
  walk_all<false>(rmq, ranges, results, [](const auto& walk) { return walk.minimum(); });
}

template <class Value>
void leftmost_minima(const RmqView<Value>& rmq, std::span<const IndexRange<Value>> ranges, std::span<Value> results) {
  walk_all<true>(rmq, ranges, results, [](const auto& walk) { return walk.position(); });
}

template <class Value>
void RangeMinimum<Value>::minima(std::span<const IndexRange<Value>> ranges, std::span<Value> results,
                                 int threads) const {
  ask_all(view(), ranges, results, threads, [](const auto&... batch) { range_minima<Value>(batch...); });
}

template <class Value>
void RangeMinimum<Value>::leftmosts(std::span<const IndexRange<Value>> ranges, std::span<Value> results,
                                    int threads) const {
  ask_all(view(), ranges, results, threads, [](const auto&... batch) { leftmost_minima<Value>(batch...); });
}

template void range_minima(const RmqView<std::uint32_t>&, std::span<const IndexRange<std::uint32_t>>,
                           std::span<std::uint32_t>);
template void range_minima(const RmqView<std::uint64_t>&, std::span<const IndexRange<std::uint64_t>>,
                           std::span<std::uint64_t>);
template void leftmost_minima(const RmqView<std::uint32_t>&, std::span<const IndexRange<std::uint32_t>>,
                              std::span<std::uint32_t>);
template void leftmost_minima(const RmqView<std::uint64_t>&, std::span<const IndexRange<std::uint64_t>>,
                              std::span<std::uint64_t>);
template class RangeMinimum<std::uint32_t>;
template class RangeMinimum<std::uint64_t>;

std::vector<std::uint32_t> range_minima(std::span<const std::uint32_t> values,
                                        std::span<const IndexRange<std::uint32_t>> ranges, const Backend& backend) {
  std::vector<std::uint32_t> results(ranges.size());
  if (backend.kind == BackendKind::cpu) {
    RangeMinimum(values, backend.threads).minima(ranges, results, backend.threads);
  } else {
    require_ranges(ranges, results.size(), values.size());
    cuda::range_minima(values, ranges, results, backend);
  }
  return results;
}

std::vector<std::uint32_t> leftmost_minima(std::span<const std::uint32_t> values,
                                           std::span<const IndexRange<std::uint32_t>> ranges, const Backend& backend) {
  std::vector<std::uint32_t> results(ranges.size());
  if (backend.kind == BackendKind::cpu) {
    RangeMinimum(values, backend.threads).leftmosts(ranges, results, backend.threads);
  } else {
    require_ranges(ranges, results.size(), values.size());
    cuda::leftmost_minima(values, ranges, results, backend);
  }
  return results;
}

}  // namespace warpseed::suffix
