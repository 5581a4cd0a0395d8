#include "overlap/matches/unique_rows.cuh"

#include "core/launch.cuh"
#include "core/primitives.cuh"
#include "overlap/matches/match_core.hpp"
#include "suffix/bounded_text.cuh"

namespace warpseed::overlap::cuda {

namespace {

constexpr std::uint32_t no_target = ~std::uint32_t{0};

/// depths[row]: the bases that it shares with its neighbours of the same key in the list, at least `known`.
template <class Key>
__global__ void depth_kernel(suffix::GenomeText text, WordRowsView rows, View<std::uint32_t> list, std::uint32_t known,
                             Key key, std::uint32_t* depths) {
  const std::uint64_t i = thread_index();
  if (i >= list.size) return;
  const std::uint32_t own = rows.positions[list[i]];
  std::uint64_t depth = 0;
  if (i > 0 && key(i - 1) == key(i)) depth = suffix::shared_symbols(text, rows.positions[list[i - 1]], own, known);
  if (i + 1 < list.size && key(i + 1) == key(i)) {
    const std::uint64_t after = suffix::shared_symbols(text, own, rows.positions[list[i + 1]], known);
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

/// Keys (word, contig) of the listed rows, and the rows.
__global__ void contig_key_kernel(WordRowsView rows, View<std::uint32_t> list, View<TextPos> contig_begins,
                                  std::uint64_t* keys, std::uint32_t* values) {
  const std::uint64_t i = thread_index();
  if (i >= list.size) return;
  const std::uint32_t position = rows.positions[list[i]];
  const std::uint64_t contig =
      text::last_not_above(contig_begins.size - 1, position, [&](std::uint64_t c) { return contig_begins[c]; });
  keys[i] = std::uint64_t{rows.words[list[i]]} << 32 | contig;
  values[i] = list[i];
}

/// The length that a unique match of each row must exceed; see Uniqueness. targets, queries: the rows of either side.
Buffer<std::uint32_t> depths_of(const suffix::GenomeText& text, const WordRows& rows, const WordSides& sides,
                                View<std::uint32_t> targets, View<std::uint32_t> queries, Uniqueness uniqueness,
                                std::span<const TextPos> contig_begins, const Stream& stream) {
  Buffer<std::uint32_t> depths(rows.positions.size(), stream);
  depths.fill_zero();
  launch("depth_kernel", depth_kernel<WordOfRow>, targets.size, stream, text, rows.view(), targets, sides.shortest,
         WordOfRow{rows.words.data(), targets.data}, depths.data());
  if (uniqueness != Uniqueness::in_both) return depths;

  const Buffer<TextPos> contigs(contig_begins, stream);
  SortablePairs<std::uint32_t> pairs(queries.size, stream);
  launch("contig_key_kernel", contig_key_kernel, queries.size, stream, rows.view(), queries, contigs.view(),
         pairs.keys.data(), pairs.values.data());
  pairs.sort(queries.size, 0, 64, stream);
  launch("depth_kernel", depth_kernel<SortedKey>, queries.size, stream, text, rows.view(), pairs.values.view(),
         sides.shortest, SortedKey{pairs.keys.data()}, depths.data());
  stream.wait();  // `contigs` is uploaded from the caller's memory
  return depths;
}

/// partners[i]: the index of the target with which query i has a unique match, or no_target. In that case matched[i]
/// and begins[index] are set to 1.
__global__ void find_partners_kernel(suffix::GenomeText text, WordRowsView rows, View<std::uint32_t> targets,
                                     View<std::uint32_t> queries, const std::uint32_t* depths, std::uint32_t known,
                                     std::uint32_t* partners, std::uint32_t* matched, std::uint32_t* begins) {
  const std::uint64_t i = thread_index();
  if (i >= queries.size) return;
  const std::uint32_t row = queries[i];
  const auto depth_of = [&](std::uint32_t at) { return PositionDepth<std::uint32_t>{rows.positions[at], depths[at]}; };
  const auto is_partner = [&](std::uint32_t target) {
    return rows.words[target] == rows.words[row] && is_unique_match(text, depth_of(target), depth_of(row), known);
  };
  const std::uint64_t next = first_above(0, targets.size, [&](std::uint64_t k) { return targets[k] > row; });
  std::uint32_t partner = no_target;
  if (next > 0 && is_partner(targets[next - 1])) partner = static_cast<std::uint32_t>(next - 1);
  if (next < targets.size && is_partner(targets[next])) partner = static_cast<std::uint32_t>(next);
  partners[i] = partner;
  matched[i] = partner != no_target;
  if (partner != no_target) begins[partner] = 1;
}

/// Writes each target that begins a match as row and word number[k].
__global__ void write_targets_kernel(WordRowsView rows, View<std::uint32_t> targets, const std::uint32_t* number,
                                     std::uint32_t* positions, std::uint32_t* words, std::uint8_t* lefts) {
  const std::uint64_t k = thread_index();
  if (k >= targets.size || number[k] == number[k + 1]) return;
  const std::uint32_t row = targets[k], out = number[k];
  positions[out] = rows.positions[row], words[out] = out, lefts[out] = rows.lefts[row];
}

/// Writes each query that has a partner as row first + before[i].
__global__ void write_queries_kernel(WordRowsView rows, View<std::uint32_t> queries, const std::uint32_t* partners,
                                     const std::uint32_t* before, const std::uint32_t* number, std::uint64_t first,
                                     std::uint32_t* positions, std::uint32_t* words, std::uint8_t* lefts) {
  const std::uint64_t i = thread_index();
  if (i >= queries.size || partners[i] == no_target) return;
  const std::uint32_t row = queries[i];
  const std::uint64_t out = first + before[i];
  positions[out] = rows.positions[row], words[out] = number[partners[i]], lefts[out] = rows.lefts[row];
}

}  // namespace

WordRows unique_rows(const suffix::cuda::DeviceText& text, const WordRows& rows, const WordSides& sides,
                     Uniqueness uniqueness, std::span<const TextPos> contig_begins, const Stream& stream) {
  const suffix::cuda::BoundedText bounded(text, stream);
  const Buffer<std::uint32_t> targets = rows_of(rows, sides, Side::target, stream);
  const Buffer<std::uint32_t> queries = rows_of(rows, sides, Side::query, stream);
  const std::uint64_t target_count = targets.size(), query_count = queries.size();
  Buffer<std::uint32_t> partners(query_count, stream), before(query_count + 1, stream),
      number(target_count + 1, stream);
  before.fill_zero(), number.fill_zero();
  {
    const Buffer<std::uint32_t> depths =
        depths_of(bounded.view(), rows, sides, targets.view(), queries.view(), uniqueness, contig_begins, stream);
    launch("find_partners_kernel", find_partners_kernel, query_count, stream, bounded.view(), rows.view(),
           targets.view(), queries.view(), depths.data(), sides.shortest, partners.data(), before.data(),
           number.data());
  }
  exclusive_sum(before, stream);
  exclusive_sum(number, stream);
  const std::uint64_t words = number.value_at(target_count), count = words + before.value_at(query_count);
  WordRows found{{count, stream}, {count, stream}, {count, stream}, words};
  launch("write_targets_kernel", write_targets_kernel, target_count, stream, rows.view(), targets.view(), number.data(),
         found.positions.data(), found.words.data(), found.lefts.data());
  launch("write_queries_kernel", write_queries_kernel, query_count, stream, rows.view(), queries.view(),
         partners.data(), before.data(), number.data(), words, found.positions.data(), found.words.data(),
         found.lefts.data());
  return found;
}

}  // namespace warpseed::overlap::cuda
