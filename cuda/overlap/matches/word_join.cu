#include "overlap/matches/word_join.cuh"

#include <algorithm>
#include <bit>

#include "core/launch.cuh"
#include "core/primitives.cuh"
#include "overlap/matches/unique_rows.cuh"

namespace warpseed::overlap::cuda {

namespace {

using Start = WordStart<std::uint32_t>;
using Partner = WordPartner<std::uint32_t>;

__global__ void position_key_kernel(WordRowsView rows, View<std::uint32_t> list, std::uint64_t* keys) {
  const std::uint64_t i = thread_index();
  if (i < list.size) keys[i] = rows.positions[list[i]];
}

__global__ void word_key_kernel(WordRowsView rows, View<std::uint32_t> list, std::uint64_t* keys) {
  const std::uint64_t i = thread_index();
  if (i < list.size) keys[i] = std::uint64_t{rows.words[list[i]]} << 3 | rows.lefts[list[i]];
}

/// The rows of one side, sorted by position.
SortablePairs<std::uint32_t> by_position(const WordRows& rows, const WordSides& sides, Side side,
                                         const Stream& stream) {
  Buffer<std::uint32_t> list = rows_of(rows, sides, side, stream);
  SortablePairs<std::uint32_t> pairs(list.size(), stream);
  launch("position_key_kernel", position_key_kernel, list.size(), stream, rows.view(), list.view(), pairs.keys.data());
  std::swap(pairs.values, list);
  pairs.sort(pairs.values.size(), 0, 32, stream);
  return pairs;
}

__global__ void make_starts_kernel(WordRowsView rows, View<std::uint32_t> list, Start* starts) {
  const std::uint64_t i = thread_index();
  if (i >= list.size) return;
  const std::uint32_t row = list[i];
  starts[i] = {rows.positions[row], rows.words[row]};
}

__global__ void make_partners_kernel(WordRowsView rows, View<std::uint32_t> list, Partner* partners) {
  const std::uint64_t i = thread_index();
  if (i >= list.size) return;
  const std::uint32_t row = list[i];
  partners[i] = {rows.positions[row], rows.lefts[row]};
}

__global__ void make_begins_kernel(View<std::uint64_t> keys, View<std::uint64_t> begins, std::uint64_t* out) {
  const std::uint64_t word = thread_index();
  if (word >= begins.size) return;
  out[word] = first_above(0, keys.size, [&](std::uint64_t i) { return keys[i] >> 3 >= word; });
}

}  // namespace

DeviceWordJoin join_words(const suffix::cuda::DeviceText& text, const WordSides& sides, const MatchOptions& options,
                          std::span<const TextPos> contig_begins, const Stream& stream) {
  WordRows rows = find_word_rows(text, sides, stream);
  stream.pool().require(60 * rows.positions.size(), "joining words");
  if (options.uniqueness != Uniqueness::any) {
    rows = unique_rows(text, rows, sides, options.uniqueness, contig_begins, stream);
  }
  DeviceWordJoin join;
  join.shortest = options.min_length, join.self = sides.self, join.by_query = options.by_query;
  {
    const auto pairs = by_position(rows, sides, options.by_query ? Side::query : Side::target, stream);
    join.starts = Buffer<Start>(pairs.values.size(), stream);
    launch("make_starts_kernel", make_starts_kernel, pairs.values.size(), stream, rows.view(), pairs.values.view(),
           join.starts.data());
  }
  auto pairs = by_position(rows, sides, options.by_query ? Side::target : Side::query, stream);
  launch("word_key_kernel", word_key_kernel, pairs.values.size(), stream, rows.view(), pairs.values.view(),
         pairs.keys.data());
  pairs.sort(pairs.values.size(), 0, 3 + static_cast<unsigned>(std::bit_width(rows.word_count)), stream);
  join.partners = Buffer<Partner>(pairs.values.size(), stream);
  launch("make_partners_kernel", make_partners_kernel, pairs.values.size(), stream, rows.view(), pairs.values.view(),
         join.partners.data());
  join.begins = Buffer<std::uint64_t>(rows.word_count + 1, stream);
  launch("make_begins_kernel", make_begins_kernel, rows.word_count + 1, stream, pairs.keys.view(), join.begins.view(),
         join.begins.data());
  return join;
}

}  // namespace warpseed::overlap::cuda
