#include "suffix/parts.cuh"

#include <algorithm>
#include <cub/device/device_merge_sort.cuh>
#include <numeric>
#include <string>
#include <vector>

#include "core/lanes.cuh"
#include "core/launch.cuh"
#include "core/primitives.cuh"
#include "sort/groups.cuh"
#include "suffix/cover_ranks.cuh"
#include "suffix/order_by_keys.cuh"

namespace warpseed::suffix::cuda {

namespace {

constexpr unsigned bucket_bits = 14;  // the first 7 bases; their counters fit a block's shared memory
constexpr unsigned buckets = 1U << bucket_bits;
constexpr unsigned bucket_shift = 64 - bucket_bits;
constexpr std::uint64_t warp_positions = 512;                        // per warp
constexpr std::uint64_t max_part_suffixes = std::uint64_t{1} << 31;  // tied ones are numbered in 32 bits
constexpr std::uint64_t margin = std::uint64_t{64} << 20;            // histograms, and rounding by the allocator

/// Suffixes whose first bits are in [begin, end).
struct BucketRange {
  unsigned begin = 0, end = 0;
  std::uint64_t suffixes = 0;
};

__global__ void __launch_bounds__(1024)
    count_buckets_kernel(DeviceTextView text, KeyLayout layout, unsigned long long* counts) {
  extern __shared__ std::uint32_t block_counts[];
  for (unsigned i = threadIdx.x; i < buckets; i += blockDim.x) block_counts[i] = 0;
  __syncthreads();
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  for (TextPos position = thread_index(); position < text.size; position += step) {
    atomicAdd(&block_counts[key_of(text, layout, position) >> bucket_shift], 1);
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < buckets; i += blockDim.x) {
    if (block_counts[i] != 0) atomicAdd(&counts[i], block_counts[i]);
  }
}

/// Calls visit(position, key, in, lanes) for a warp's positions. in: the position's suffix is in the range; lanes: the
/// warp's threads with such a suffix.
template <class Visit>
__device__ void for_each_suffix(const DeviceTextView& text, const KeyLayout& layout, const BucketRange& range,
                                std::uint64_t warp, Visit visit) {
  const TextPos begin = warp * warp_positions;
  for (TextPos round = begin; round < begin + warp_positions && round < text.size; round += 32) {
    const TextPos position = round + lane_id();
    const std::uint64_t key = position < text.size ? key_of(text, layout, position) : 0;
    const unsigned bucket = static_cast<unsigned>(key >> bucket_shift);
    const bool in = position < text.size && bucket >= range.begin && bucket < range.end;
    visit(position, key, in, __ballot_sync(all_lanes, in));
  }
}

/// One warp per count.
__global__ void count_suffixes_kernel(DeviceTextView text, KeyLayout layout, BucketRange range, std::uint64_t warps,
                                      std::uint32_t* counts) {
  const std::uint64_t warp = thread_index() / 32;
  if (warp >= warps) return;
  std::uint32_t count = 0;
  for_each_suffix(text, layout, range, warp, [&](TextPos, std::uint64_t, bool, std::uint32_t lanes) {
    count += static_cast<std::uint32_t>(__popc(lanes));
  });
  if (lane_id() == 0) counts[warp] = count;
}

template <class Pos>
__global__ void list_suffixes_kernel(DeviceTextView text, KeyLayout layout, BucketRange range, std::uint64_t warps,
                                     const std::uint32_t* before, std::uint64_t* keys, Pos* positions) {
  const std::uint64_t warp = thread_index() / 32;
  if (warp >= warps) return;
  std::uint64_t out = before[warp];
  const std::uint32_t earlier_lanes = lower_lane_mask();
  for_each_suffix(text, layout, range, warp, [&](TextPos position, std::uint64_t key, bool in, std::uint32_t lanes) {
    const std::uint64_t at = out + static_cast<unsigned>(__popc(lanes & earlier_lanes));
    if (in) keys[at] = key, positions[at] = static_cast<Pos>(position);
    out += static_cast<unsigned>(__popc(lanes));
  });
}

/// A suffix whose key is not unique.
template <class Pos>
struct TiedSuffix {
  std::uint32_t group;
  Pos position;
};

template <class Pos>
__global__ void take_ties_kernel(sort::cuda::GroupsView groups, const Pos* positions, TiedSuffix<Pos>* tied) {
  const std::uint64_t i = thread_index();
  if (i < groups.count && groups.is_tied(i)) tied[groups.tied_number(i)] = {groups.group_number(i), positions[i]};
}

template <class Pos>
__global__ void scatter_ties_kernel(sort::cuda::GroupsView groups, const TiedSuffix<Pos>* tied, Pos* positions) {
  const std::uint64_t i = thread_index();
  if (i < groups.count && groups.is_tied(i)) positions[i] = tied[groups.tied_number(i)].position;
}

/// Maximum memory per suffix of a part: in the radix sort, or if all of them are tied.
template <class Pos>
constexpr std::uint64_t part_bytes = std::max(2 * (sizeof(std::uint64_t) + sizeof(Pos)),
                                              1 + sizeof(Pos) + 2 * sizeof(TiedSuffix<Pos>));

/// Order of tied suffixes: by group first.
struct TiedLess {
  DeviceTextView text;
  KeyLayout layout;
  CoverRanksView ranks;

  template <class Pos>
  __device__ bool operator()(const TiedSuffix<Pos>& a, const TiedSuffix<Pos>& b) const {
    return a.group != b.group ? a.group < b.group : ranks.less(text, layout, a.position, b.position);
  }
};

template <class Pos>
void break_ties(const DeviceText& text, const KeyLayout& layout, const CoverRanksView& ranks,
                const sort::cuda::Groups& groups, Buffer<Pos>& positions, const Stream& stream) {
  const std::uint64_t count = groups.tied_count();
  if (count == 0) return;
  Buffer<TiedSuffix<Pos>> tied(count, stream);
  launch("take_ties_kernel", take_ties_kernel<Pos>, groups.view().count, stream, groups.view(), positions.data(),
         tied.data());
  with_temporary_storage("sorting tied suffixes", stream, [&](void* storage, std::size_t& bytes) {
    return cub::DeviceMergeSort::SortKeys(storage, bytes, tied.data(), count, TiedLess{text.view(), layout, ranks},
                                          stream.handle());
  });
  launch("scatter_ties_kernel", scatter_ties_kernel<Pos>, groups.view().count, stream, groups.view(), tied.data(),
         positions.data());
}

/// Histogram of the suffixes by their first bits.
std::vector<std::uint64_t> count_buckets(const DeviceText& text, const KeyLayout& layout, const Stream& stream) {
  Buffer<unsigned long long> counts(buckets, stream);
  counts.fill_zero();
  constexpr std::size_t shared_bytes = buckets * sizeof(std::uint32_t);
  constexpr unsigned blocks = 512;  // a few per multiprocessor
  check(cudaFuncSetAttribute(count_buckets_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes),
        "asking for shared memory");
  count_buckets_kernel<<<blocks, 1024, shared_bytes, stream.handle()>>>(text.view(), layout, counts.data());
  check_launch("count_buckets_kernel", stream.handle());
  std::vector<unsigned long long> host(buckets);
  counts.download(host);
  stream.wait();
  return {host.begin(), host.end()};
}

/// Groups neighbouring buckets into parts of at most `capacity` suffixes, as many for each member if there are several.
/// No part is empty.
std::vector<BucketRange> plan_parts(const std::vector<std::uint64_t>& counts, std::uint64_t capacity,
                                    unsigned members) {
  const std::uint64_t all = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  const std::uint64_t rounds = all / (members * capacity + 1) + 1;
  const std::uint64_t wanted = members == 1 ? capacity : all / (members * rounds) + 1;
  std::vector<BucketRange> parts;
  for (unsigned bucket = 0; bucket < buckets; ++bucket) {
    if (counts[bucket] > capacity) {
      throw BackendError(std::to_string(counts[bucket]) +
                         " suffixes begin alike, and the device memory allowed holds " + std::to_string(capacity) +
                         " at a time; allow more with --memory, or use --backend cpu");
    }
    if (counts[bucket] == 0) continue;
    if (parts.empty() || parts.back().suffixes + counts[bucket] > wanted) parts.push_back({bucket, bucket, 0});
    parts.back().end = bucket + 1;
    parts.back().suffixes += counts[bucket];
  }
  return parts;
}

template <class Pos>
SortablePairs<Pos> list_part(const DeviceText& text, const KeyLayout& layout, const BucketRange& range,
                             const Stream& stream) {
  const std::uint64_t warps = (text.size() + warp_positions - 1) / warp_positions;
  Buffer<std::uint32_t> before(warps, stream);
  launch("count_suffixes_kernel", count_suffixes_kernel, 32 * warps, stream, text.view(), layout, range, warps,
         before.data());
  exclusive_sum(before, stream);
  SortablePairs<Pos> pairs(range.suffixes, stream);
  launch("list_suffixes_kernel", list_suffixes_kernel<Pos>, 32 * warps, stream, text.view(), layout, range, warps,
         before.data(), pairs.keys.data(), pairs.values.data());
  return pairs;
}

template <class Pos>
Buffer<Pos> sort_part(const DeviceText& text, const KeyLayout& layout, const CoverRanksView& ranks,
                      const BucketRange& range, const Stream& stream, const StageDone& done) {
  SortablePairs<Pos> pairs = list_part<Pos>(text, layout, range, stream);
  say(done, "list part");
  pairs.sort(range.suffixes, 0, 64, stream);
  pairs.drop_spare();
  say(done, "sort part");
  const sort::cuda::Groups groups = sort::cuda::groups_of_keys(pairs.keys, range.suffixes, stream);
  pairs.keys = {};
  break_ties(text, layout, ranks, groups, pairs.values, stream);
  say(done, "break ties");
  return std::move(pairs.values);
}

}  // namespace

template <class Pos>
void sort_in_parts(const DeviceText& text, std::uint64_t segments, const SortRequest& request, const TeamMember& member,
                   const StageDone& done, const RowsSink<Pos>& sink) {
  const Stream& stream = member.stream();
  const unsigned members = member.team_size();
  if (!fits_narrow(cover_slots(text))) {
    throw BackendError("a text of " + std::to_string(text.size()) +
                       " symbols: more than a device sorts, whose ranks of a difference cover have 32 bits; use "
                       "--backend cpu");
  }
  const std::uint64_t bytes = request.available_bytes(stream);
  const KeyLayout layout = layout_for_some(text);
  const std::uint64_t beside_parts =
      cover_rank_bytes(text, members) + text.size() / 64 + request.reserved_bytes + margin;
  const std::uint64_t needed =
      std::max(cover_sorting_bytes(text, segments, members) + margin, beside_parts + text.size() / 8);
  if (any_member(bytes < needed, member)) {
    throw BackendError("sorting these suffixes in parts takes " + std::to_string(needed) + " bytes of device memory, " +
                       std::to_string(bytes) + " are allowed; allow more with --memory, or use --backend cpu");
  }
  const CoverRanks ranks(text, request.options.device_bytes, member, done);
  begin_rows(request, member);
  const std::vector<std::uint64_t> capacities =
      member.share(std::min((bytes - beside_parts) / part_bytes<Pos>, max_part_suffixes));
  const std::uint64_t capacity = *std::min_element(capacities.begin(), capacities.end());
  if (!member.is_alone()) {
    stream.pool().trim();  // what the cover's sort left is in pieces
    stream.reserve(capacity * part_bytes<Pos> + text.size() / 64);
  }
  std::uint64_t row = 0, part = 0;
  for (const BucketRange& range : plan_parts(count_buckets(text, layout, stream), capacity, members)) {
    if (part++ % members == member.number()) {
      Buffer<Pos> suffixes = sort_part<Pos>(text, layout, ranks.view(), range, stream, done);
      sink(row, suffixes);
      say(done, "use part");
    }
    row += range.suffixes;
  }
  member.meet();  // until then the others read the ranks
  give_back_reserved(stream);
}

template void sort_in_parts(const DeviceText&, std::uint64_t, const SortRequest&, const TeamMember&, const StageDone&,
                            const RowsSink<std::uint32_t>&);
template void sort_in_parts(const DeviceText&, std::uint64_t, const SortRequest&, const TeamMember&, const StageDone&,
                            const RowsSink<std::uint64_t>&);

}  // namespace warpseed::suffix::cuda
