// Every hit is listed with its suffix array row, located in the text, and sorted among the hits of its search. Text
// positions have the same order as genome positions, which are looked up last, when the lookups of neighbouring threads
// are similar.
#include "align/seed/device_seed_hits.cuh"

#include <bit>
#include <utility>

#include "align/block_owners.cuh"
#include "align/seed/seed_hit_core.hpp"
#include "core/launch.cuh"
#include "core/primitives.cuh"
#include "core/warp.cuh"
#include "sort/segmented_sort.cuh"

namespace warpseed::align::cuda {

namespace {

constexpr std::uint64_t hits_per_warp = 1024;  // enough that the idle lanes at the end do not matter

/// Packs a row or its text position. The lowest bit is set if it is a position. The highest bits are the search's
/// number, relative to the first search.
struct PackedLocation {
  unsigned search_shift;

  __device__ std::uint64_t of(std::uint64_t search, std::uint64_t row_or_position, bool located) const {
    return search << search_shift | row_or_position << 1 | (located ? 1 : 0);
  }
  __device__ std::uint64_t row_or_position(std::uint64_t location) const {
    return (location & ((std::uint64_t{1} << search_shift) - 1)) >> 1;
  }
  __device__ std::uint64_t search(std::uint64_t location) const { return location >> search_shift; }
};

/// The fields of a hit except its position.
__device__ std::uint32_t packed(const SeedHit& hit) {
  return hit.query_begin << 17 | hit.length << 2 | (hit.reverse ? 2 : 0) | (hit.rare ? 1 : 0);
}
static_assert(longest_device_read < 1U << 15);

__device__ SeedHit unpacked(std::uint32_t value) {
  SeedHit hit;
  hit.query_begin = value >> 17;
  hit.length = value >> 2 & longest_device_read;
  hit.reverse = (value & 2) != 0;
  hit.rare = (value & 1) != 0;
  return hit;
}

struct ListingView {
  SeedsInOrder seeds;
  SeedRules rules;
  AlignOptions options;
  PackedLocation location;
  std::uint64_t first_search, first_hit, count;
};

__global__ void list_hits_kernel(ListingView view, std::uint64_t* positions, std::uint32_t* values) {
  __shared__ std::uint64_t ends[2];
  const SeedsInOrder& seeds = view.seeds;
  const BlockPart part = part_of_block(view.count);
  const BlockOwners owners(ends, seeds.order.size, view.first_hit + part.begin, view.first_hit + part.end,
                           [&](std::uint64_t k) { return seeds.hit_begins[k]; });
  for (std::uint64_t i = part.begin + threadIdx.x; i < part.end; i += threads_per_block) {
    const std::uint64_t hit = view.first_hit + i, at = owners.of(hit);
    const FoundSeed& found = seeds[at];
    const std::uint64_t search = seeds.search_of(found);
    const bool located = found.seed.position != text::no_text_pos;
    positions[i] = view.location.of(
        search - view.first_search,
        located ? found.seed.position : used_row(found.seed, view.options, hit - seeds.hit_begins[at]), located);
    values[i] = packed(hit_of(found.seed, search % 2 != 0, view.rules));
  }
}

/// A warp has hits_per_warp hits. Each lane takes the next one when its own is located. keys: text positions, or, where
/// these have more than 32 bits, packed as in `positions`. Then `keys` and `positions` may be the same memory.
template <class Key>
__global__ void locate_kernel(index::FmView fm, PackedLocation location, const std::uint64_t* positions,
                              std::uint64_t count, Key* keys) {
  std::uint64_t next = hits_per_warp * (thread_index() / warp_threads);
  const std::uint64_t end = next + hits_per_warp < count ? next + hits_per_warp : count;
  std::uint64_t hit = end, listed = 0;  // hit == end: the lane is idle
  index::Walk walk;
  while (next < end || __any_sync(all_lanes, hit < end)) {
    const unsigned idle = __ballot_sync(all_lanes, hit == end);
    if (hit == end && next + static_cast<unsigned>(__popc(idle & lower_lane_mask())) < end) {
      hit = next + static_cast<unsigned>(__popc(idle & lower_lane_mask()));
      listed = positions[hit], walk = {location.row_or_position(listed), 0};
    }
    next += static_cast<unsigned>(__popc(idle));
    const bool walks = hit < end && (listed & 1) == 0, sampled = walks && index::is_sampled(fm, walk.row);
    TextPos position = walk.row;
    index::RankBlock block;
    if (sampled) position = index::sample_of(fm, walk.row);  // both loads are issued before either is used
    if (walks && !sampled) block = index::load_block(fm, walk.row);
    if (sampled) position = index::walked_from(fm, position, walk.steps);
    if (hit < end && (!walks || sampled || index::step_back(fm, block, walk, position))) {
      keys[hit] = static_cast<Key>(sizeof(Key) == 4 ? position : location.of(location.search(listed), position, true));
      hit = end;
    }
  }
}

/// Writes a hit's 32 bytes in two stores.
__device__ void put(SeedHit* to, const SeedHit& hit) {
  ulonglong2 halves[2];
  static_assert(sizeof halves == sizeof hit);
  __builtin_memcpy(halves, &hit, sizeof hit);
  auto* out = reinterpret_cast<ulonglong2*>(to);
  out[0] = halves[0], out[1] = halves[1];
}

template <class Key>
__global__ void unpack_hits_kernel(PackedLocation location, View<Key> keys, const std::uint32_t* values,
                                   text::GenomeView genome, SeedHit* hits) {
  const std::uint64_t i = thread_index();
  if (i >= keys.size) return;
  SeedHit hit = unpacked(values[i]);
  put_at(hit, sizeof(Key) == 4 ? keys[i] : location.row_or_position(keys[i]), genome);
  put(hits + i, hit);
}

__global__ void count_from_kernel(View<std::uint64_t> begins, std::uint64_t first, std::uint64_t* offsets) {
  const std::uint64_t i = thread_index();
  if (i < begins.size) offsets[i] = begins[i] - first;
}

/// The steps from the seeds of some searches to their sorted hits.
class HitSorter {
 public:
  HitSorter(const AlignmentDeviceData& index, const ListingView& view, const Stream& stream)
      : index_(index), view_(view), stream_(stream) {}

  /// For 32-bit positions: sorts the hits of each search separately.
  Buffer<SeedHit> by_position(View<std::uint64_t> begins) const {
    Buffer<std::uint32_t> keys(view_.count, stream_), values(view_.count, stream_);
    Buffer<std::uint64_t> offsets(begins.size, stream_);
    {
      Buffer<std::uint64_t> positions(view_.count, stream_);
      list(positions, values);
      locate(positions, keys);
    }
    launch("count_from_kernel", count_from_kernel, begins.size, stream_, begins, view_.first_hit, offsets.data());
    Buffer<std::uint32_t> sorted_keys(view_.count, stream_), sorted_values(view_.count, stream_);
    sort::cuda::segmented_sort<std::uint32_t>({keys.data(), values.data(), sorted_keys.data(), sorted_values.data()},
                                              offsets.view(), view_.count, stream_);
    return unpack(sorted_keys, sorted_values);
  }

  /// For longer positions: sorts all hits together.
  Buffer<SeedHit> by_search_and_position(std::uint64_t searches) const {
    SortablePairs<std::uint32_t> pairs(view_.count, stream_);
    list(pairs.keys, pairs.values);
    locate(pairs.keys, pairs.keys);
    pairs.sort(view_.count, 0, view_.location.search_shift + static_cast<unsigned>(std::bit_width(searches)), stream_);
    pairs.drop_spare();
    return unpack(pairs.keys, pairs.values);
  }

 private:
  void list(Buffer<std::uint64_t>& positions, Buffer<std::uint32_t>& values) const {
    launch("list_hits_kernel", list_hits_kernel, threads_for_items(view_.count), stream_, view_, positions.data(),
           values.data());
  }

  template <class Key>
  void locate(const Buffer<std::uint64_t>& positions, Buffer<Key>& keys) const {
    const std::uint64_t warps = (view_.count + hits_per_warp - 1) / hits_per_warp;
    launch("locate_kernel", locate_kernel<Key>, warps * warp_threads, stream_, index_.fm(), view_.location,
           positions.data(), view_.count, keys.data());
  }

  template <class Key>
  Buffer<SeedHit> unpack(const Buffer<Key>& keys, const Buffer<std::uint32_t>& values) const {
    Buffer<SeedHit> hits(view_.count, stream_);
    launch("unpack_hits_kernel", unpack_hits_kernel<Key>, view_.count, stream_, view_.location, keys.view(),
           values.data(), index_.genome(), hits.data());
    return hits;
  }

  const AlignmentDeviceData& index_;
  const ListingView view_;
  const Stream& stream_;
};

}  // namespace

Buffer<SeedHit> hits_in_order(const AlignmentDeviceData& index, const SeedRules& rules, const SeedsInOrder& seeds,
                              const HitRange& range, const Stream& stream) {
  const std::uint64_t rows = index.fm().row_count();
  const PackedLocation location = {static_cast<unsigned>(std::bit_width(rows)) + 1};
  const HitSorter sorter(
      index, {seeds, rules, index.options(), location, range.first_search, range.first_hit, range.count}, stream);
  if (range.narrow) return sorter.by_position(range.begins);
  return sorter.by_search_and_position(range.begins.size - 1);
}

}  // namespace warpseed::align::cuda
