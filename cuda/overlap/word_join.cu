#include "overlap/word_join.cuh"

#include <algorithm>
#include <bit>

#include "core/launch.cuh"
#include "core/primitives.cuh"
#include "suffix/bounded_text.cuh"

namespace warpseed::cuda {

namespace {

using Start = WordStart<std::uint32_t>;
using Partner = WordPartner<std::uint32_t>;

/// The rows kept, as kernels read them.
struct RowsView {
  const std::uint32_t* positions;
  const std::uint32_t* words;
  const std::uint8_t* lefts;
  std::uint64_t count;
};

RowsView view_of(const WordRows& rows) {
  return {rows.positions.data(), rows.words.data(), rows.lefts.data(), rows.positions.size()};
}

enum class Side { target, query };

__device__ bool is_of(const WordSides& sides, Side side, std::uint32_t position) {
  return side == Side::target ? sides.is_target(position) : sides.is_query(position);
}

__global__ void flag_side_kernel(RowsView rows, WordSides sides, Side side, std::uint32_t* flags) {
  const std::uint64_t i = thread_index();
  if (i < rows.count) flags[i] = is_of(sides, side, rows.positions[i]);
}

__global__ void list_side_kernel(RowsView rows, WordSides sides, Side side, const std::uint32_t* before,
                                 std::uint32_t* list) {
  const std::uint64_t i = thread_index();
  if (i < rows.count && is_of(sides, side, rows.positions[i])) list[before[i]] = static_cast<std::uint32_t>(i);
}

/// The numbers of the rows of one side, in order.
Buffer<std::uint32_t> rows_of(const WordRows& rows, const WordSides& sides, Side side, const Stream& stream) {
  const std::uint64_t count = rows.positions.size();
  Buffer<std::uint32_t> before(count + 1, stream);
  before.fill_zero();
  launch("flag_side_kernel", flag_side_kernel, count, stream, view_of(rows), sides, side, before.data());
  exclusive_sum(before, stream);
  Buffer<std::uint32_t> list(before.value_at(count), stream);
  launch("list_side_kernel", list_side_kernel, count, stream, view_of(rows), sides, side, before.data(), list.data());
  return list;
}

/// depths[row]: the bases that it shares with its neighbours in the list that have the same key.
template <class Key>
__global__ void depth_kernel(GenomeText text, RowsView rows, View<std::uint32_t> list, Key key, std::uint32_t* depths) {
  const std::uint64_t i = thread_index();
  if (i >= list.size) return;
  const std::uint32_t own = rows.positions[list[i]];
  std::uint64_t depth = 0;
  if (i > 0 && key(i - 1) == key(i)) depth = shared_symbols(text, rows.positions[list[i - 1]], own);
  if (i + 1 < list.size && key(i + 1) == key(i)) {
    const std::uint64_t after = shared_symbols(text, own, rows.positions[list[i + 1]]);
    depth = depth < after ? after : depth;
  }
  depths[list[i]] = static_cast<std::uint32_t>(depth);
}

struct WordOfRow {
  const std::uint32_t* words;
  const std::uint32_t* list;
  __device__ std::uint32_t operator()(std::uint64_t i) const { return words[list[i]]; }
};

struct SortedKey {
  const std::uint64_t* keys;
  __device__ std::uint64_t operator()(std::uint64_t i) const { return keys[i]; }
};

/// Keys (word, contig) of the rows listed.
__global__ void contig_key_kernel(RowsView rows, View<std::uint32_t> list, View<TextPos> contig_begins,
                                  std::uint64_t* keys) {
  const std::uint64_t i = thread_index();
  if (i >= list.size) return;
  const std::uint32_t position = rows.positions[list[i]];
  const std::uint64_t contig =
      last_not_above(contig_begins.size - 1, position, [&](std::uint64_t c) { return contig_begins[c]; });
  keys[i] = std::uint64_t{rows.words[list[i]]} << 32 | contig;
}

/// What a match of each row must be longer than; see Uniqueness. All 0 where nothing is asked for.
Buffer<std::uint32_t> depths_of(const GenomeText& text, const WordRows& rows, const WordSides& sides,
                                Uniqueness uniqueness, std::span<const TextPos> contig_begins, const Stream& stream) {
  Buffer<std::uint32_t> depths(rows.positions.size(), stream);
  depths.fill_zero();
  if (uniqueness == Uniqueness::any || depths.size() == 0) return depths;
  const Buffer<std::uint32_t> targets = rows_of(rows, sides, Side::target, stream);
  launch("depth_kernel", depth_kernel<WordOfRow>, targets.size(), stream, text, view_of(rows), targets.view(),
         WordOfRow{rows.words.data(), targets.data()}, depths.data());
  if (uniqueness != Uniqueness::in_both) return depths;

  Buffer<std::uint32_t> queries = rows_of(rows, sides, Side::query, stream);
  const Buffer<TextPos> contigs(contig_begins, stream);
  SortablePairs<std::uint32_t> pairs(queries.size(), stream);
  launch("contig_key_kernel", contig_key_kernel, queries.size(), stream, view_of(rows), queries.view(), contigs.view(),
         pairs.keys.data());
  std::swap(pairs.values, queries);
  pairs.sort(pairs.values.size(), 0, 64, stream);
  launch("depth_kernel", depth_kernel<SortedKey>, pairs.values.size(), stream, text, view_of(rows), pairs.values.view(),
         SortedKey{pairs.keys.data()}, depths.data());
  stream.wait();  // `contigs` was uploaded from the caller's memory
  return depths;
}

__global__ void position_key_kernel(RowsView rows, View<std::uint32_t> list, std::uint64_t* keys) {
  const std::uint64_t i = thread_index();
  if (i < list.size) keys[i] = rows.positions[list[i]];
}

__global__ void word_key_kernel(RowsView rows, View<std::uint32_t> list, std::uint64_t* keys) {
  const std::uint64_t i = thread_index();
  if (i < list.size) keys[i] = std::uint64_t{rows.words[list[i]]} << 3 | rows.lefts[list[i]];
}

/// The rows of one side by position.
SortablePairs<std::uint32_t> by_position(const WordRows& rows, const WordSides& sides, Side side,
                                         const Stream& stream) {
  Buffer<std::uint32_t> list = rows_of(rows, sides, side, stream);
  SortablePairs<std::uint32_t> pairs(list.size(), stream);
  launch("position_key_kernel", position_key_kernel, list.size(), stream, view_of(rows), list.view(),
         pairs.keys.data());
  std::swap(pairs.values, list);
  pairs.sort(pairs.values.size(), 0, 32, stream);
  return pairs;
}

__global__ void make_starts_kernel(RowsView rows, const std::uint32_t* depths, View<std::uint32_t> list,
                                   Start* starts) {
  const std::uint64_t i = thread_index();
  if (i >= list.size) return;
  const std::uint32_t row = list[i];
  starts[i] = {rows.positions[row], rows.words[row], depths[row]};
}

__global__ void make_partners_kernel(RowsView rows, const std::uint32_t* depths, View<std::uint32_t> list,
                                     Partner* partners) {
  const std::uint64_t i = thread_index();
  if (i >= list.size) return;
  const std::uint32_t row = list[i];
  partners[i] = {rows.positions[row], depths[row], rows.lefts[row]};
}

__global__ void make_begins_kernel(View<std::uint64_t> keys, View<std::uint64_t> begins, std::uint64_t* out) {
  const std::uint64_t word = thread_index();
  if (word >= begins.size) return;
  out[word] = first_above(0, keys.size, [&](std::uint64_t i) { return keys[i] >> 3 >= word; });
}

}  // namespace

DeviceWordJoin join_words(const DeviceText& text, const WordSides& sides, const MatchOptions& options,
                          std::span<const TextPos> contig_begins, const Stream& stream) {
  const WordRows rows = find_word_rows(text, sides, stream);
  require_device_memory(60 * rows.positions.size(), "joining words");
  const BoundedText bounded(text, stream);
  const Buffer<std::uint32_t> depths =
      depths_of(bounded.view(), rows, sides, options.uniqueness, contig_begins, stream);
  DeviceWordJoin join;
  join.shortest = options.min_length, join.self = sides.self, join.by_query = options.by_query;
  {
    const auto pairs = by_position(rows, sides, options.by_query ? Side::query : Side::target, stream);
    join.starts = Buffer<Start>(pairs.values.size(), stream);
    launch("make_starts_kernel", make_starts_kernel, pairs.values.size(), stream, view_of(rows), depths.data(),
           pairs.values.view(), join.starts.data());
  }
  auto pairs = by_position(rows, sides, options.by_query ? Side::target : Side::query, stream);
  launch("word_key_kernel", word_key_kernel, pairs.values.size(), stream, view_of(rows), pairs.values.view(),
         pairs.keys.data());
  pairs.sort(pairs.values.size(), 0, 3 + static_cast<unsigned>(std::bit_width(rows.word_count)), stream);
  join.partners = Buffer<Partner>(pairs.values.size(), stream);
  launch("make_partners_kernel", make_partners_kernel, pairs.values.size(), stream, view_of(rows), depths.data(),
         pairs.values.view(), join.partners.data());
  join.begins = Buffer<std::uint64_t>(rows.word_count + 1, stream);
  launch("make_begins_kernel", make_begins_kernel, rows.word_count + 1, stream, pairs.keys.view(), join.begins.view(),
         join.begins.data());
  return join;
}

}  // namespace warpseed::cuda
