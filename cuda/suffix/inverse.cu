// Random writes cost a memory transaction each, even nearby ones. The pairs (target, value) are therefore first grouped
// by the high bits of their targets with a radix sort. Each bucket is ordered in shared memory and stored with
// contiguous writes. In a team every member groups the pairs of its rows, and then takes from all members those that
// belong in its slice.
#include "suffix/inverse.cuh"

#include <algorithm>
#include <bit>

#include "core/launch.cuh"
#include "core/primitives.cuh"

namespace warpseed::suffix::cuda {

namespace {

constexpr unsigned scatter_threads = 1024;  // one block per multiprocessor for pieces of 128 KB
constexpr unsigned max_bucket_bits = 16;    // two blocks share a bucket of this size
constexpr unsigned shared_bits = 15;        // 128 KB: what one block holds
constexpr unsigned radix_bits = 8;          // per pass of CUB's radix sort

__global__ void ranks_kernel(sort::cuda::GroupsView groups, std::uint32_t first_row, std::uint32_t* ranks) {
  const std::uint64_t row = thread_index();
  if (row < groups.count) ranks[row] = first_row + groups.head_of(row);
}

/// Pairs in the order of their buckets.
struct Run {
  const std::uint32_t* targets = nullptr;
  const std::uint32_t* values = nullptr;
  const std::uint64_t* bucket_begins = nullptr;  // [buckets of the slice + 1]
};

/// One from each member.
struct Runs {
  Run of[max_team_size];
  unsigned count = 0;
};

/// Calls visit(target, value) for the pairs [begin, end). Loads four pairs at once, so that one block per
/// multiprocessor keeps enough loads in flight. Both arrays must be aligned alike.
template <class Visit>
__device__ void for_each_pair(const Run& run, std::uint64_t begin, std::uint64_t end, Visit visit) {
  const std::uint64_t unaligned = (reinterpret_cast<std::uintptr_t>(run.targets) / sizeof(std::uint32_t) + begin) % 4;
  const std::uint64_t whole_begin = min(begin + (4 - unaligned) % 4, end);
  const std::uint64_t whole_end = end - (end - whole_begin) % 4;
  for (std::uint64_t i = whole_begin + 4 * threadIdx.x; i < whole_end; i += 4 * scatter_threads) {
    const uint4 target = *reinterpret_cast<const uint4*>(run.targets + i),
                value = *reinterpret_cast<const uint4*>(run.values + i);
    visit(target.x, value.x), visit(target.y, value.y), visit(target.z, value.z), visit(target.w, value.w);
  }
  const std::uint64_t before = begin + threadIdx.x, after = whole_end + threadIdx.x;
  if (before < whole_begin) visit(run.targets[before], run.values[before]);
  if (after < end) visit(run.targets[after], run.values[after]);
}

/// One thread per bound i: out[i] is the first pair that belongs in bucket first + i * step or a later one.
__global__ void bucket_bounds_kernel(View<std::uint32_t> targets, unsigned bucket_bits, std::uint64_t first,
                                     std::uint64_t step, std::uint64_t bounds, std::uint64_t* out) {
  const std::uint64_t i = thread_index();
  if (i >= bounds) return;
  std::uint64_t begin = 0, end = targets.size;
  while (begin < end) {
    const std::uint64_t middle = begin + (end - begin) / 2;
    if (targets[middle] >> bucket_bits < first + i * step)
      begin = middle + 1;
    else
      end = middle;
  }
  out[i] = begin;
}

/// The targets of one member.
struct Slice {
  std::uint64_t begin = 0, size = 0;
  unsigned bucket_bits = 0;
};

/// One block per piece of 2^piece_bits targets: it reads all pairs of the bucket and keeps those of its piece.
__global__ void __launch_bounds__(scatter_threads)
    scatter_kernel(Runs runs, Slice slice, unsigned piece_bits, std::uint32_t* out) {
  extern __shared__ std::uint32_t piece[];
  const std::uint64_t piece_begin = std::uint64_t{blockIdx.x} << piece_bits;
  const std::uint32_t first_target = static_cast<std::uint32_t>(slice.begin + piece_begin);
  const std::uint32_t piece_size = 1U << piece_bits;
  const std::uint64_t bucket = piece_begin >> slice.bucket_bits;
  for (unsigned i = 0; i < runs.count; ++i) {
    const Run& run = runs.of[i];
    for_each_pair(run, run.bucket_begins[bucket], run.bucket_begins[bucket + 1],
                  [&](std::uint32_t target, std::uint32_t value) {
                    const std::uint32_t at = target - first_target;
                    if (at < piece_size) piece[at] = value;
                  });
  }
  __syncthreads();
  const std::uint64_t count = min(std::uint64_t{piece_size}, slice.size - piece_begin);
  for (std::uint64_t i = threadIdx.x; i < count; i += scatter_threads) out[piece_begin + i] = piece[i];
}

/// Targets with their values; it need not own the targets.
struct Pairs {
  View<std::uint32_t> targets;
  Buffer<std::uint32_t> own_targets, values;

  Pairs(View<std::uint32_t> others, Buffer<std::uint32_t> own_values)
      : targets(others), values(std::move(own_values)) {}
  Pairs(std::uint64_t size, const Stream& stream) : own_targets(size, stream), values(size, stream) {
    targets = own_targets.view();
  }
};

/// One stable radix pass over [begin_bit, end_bit) of the targets.
void radix_pass(const Pairs& from, Pairs& to, unsigned begin_bit, unsigned end_bit, const Stream& stream) {
  with_temporary_storage("partitioning targets", stream, [&](void* storage, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(storage, bytes, from.targets.data, to.own_targets.data(), from.values.data(),
                                           to.values.data(), from.values.size(), static_cast<int>(begin_bit),
                                           static_cast<int>(end_bit), stream.handle());
  });
}

/// The low bits of a target that stay unsorted; the others take whole radix passes.
unsigned bucket_bits_for(std::uint64_t count) {
  const unsigned bits = static_cast<unsigned>(std::bit_width(count - 1));
  if (bits <= max_bucket_bits) return std::max(bits, 1U);
  const unsigned passes = (bits - max_bucket_bits + radix_bits - 1) / radix_bits;
  constexpr unsigned least = 12;  // a piece of 16 KB still occupies its block's threads
  return std::max(bits - radix_bits * passes, least);
}

/// How the ranks of `all` suffixes are split among the members: slices are whole buckets.
struct Split {
  std::uint64_t all, slice_size;
  unsigned bucket_bits;

  Split(std::uint64_t count, unsigned members) : all(count), bucket_bits(bucket_bits_for(count)) {
    const std::uint64_t buckets = ((all - 1) >> bucket_bits) + 1;
    slice_size = (buckets + members - 1) / members << bucket_bits;
  }
  Slice slice(unsigned member) const {
    const std::uint64_t begin = std::min(member * slice_size, all);
    return {begin, std::min(slice_size, all - begin), bucket_bits};
  }
};

/// bounds: see bucket_bounds_kernel.
Buffer<std::uint64_t> bucket_bounds(View<std::uint32_t> targets, unsigned bucket_bits, std::uint64_t first,
                                    std::uint64_t step, std::uint64_t bounds, const Stream& stream) {
  Buffer<std::uint64_t> found(bounds, stream);
  launch("bucket_bounds_kernel", bucket_bounds_kernel, bounds, stream, targets, bucket_bits, first, step, bounds,
         found.data());
  return found;
}

/// The pairs (suffix, rank) of a member's rows, in the order of their buckets.
Pairs order_pairs(const Buffer<std::uint32_t>& suffixes, const sort::cuda::GroupsView& groups, std::uint64_t first_row,
                  const Split& split, const Stream& stream) {
  const std::uint64_t count = suffixes.size();
  const unsigned bits = static_cast<unsigned>(std::bit_width(split.all - 1));
  Pairs pairs(suffixes.view(), Buffer<std::uint32_t>(count, stream));
  launch("ranks_kernel", ranks_kernel, count, stream, groups, static_cast<std::uint32_t>(first_row),
         pairs.values.data());
  for (unsigned begin = split.bucket_bits; begin < bits; begin += radix_bits) {
    Pairs next(count, stream);
    radix_pass(pairs, next, begin, std::min(begin + radix_bits, bits), stream);
    pairs = std::move(next);
  }
  return pairs;
}

/// What a member has for the others: its pairs, and where those of each slice begin.
struct Offer {
  const std::uint32_t *targets, *values;
  std::vector<std::uint64_t> slice_begins;
};

/// The runs that belong in the member's slice, and the memory of those that come from others.
struct SliceRuns {
  Runs runs;
  std::vector<Pairs> received;
  std::vector<Buffer<std::uint64_t>> bounds;

  void add(View<std::uint32_t> targets, const std::uint32_t* values, const Slice& slice, const Stream& stream) {
    const std::uint64_t buckets = (slice.size + (std::uint64_t{1} << slice.bucket_bits) - 1) >> slice.bucket_bits;
    bounds.push_back(
        bucket_bounds(targets, slice.bucket_bits, slice.begin >> slice.bucket_bits, 1, buckets + 1, stream));
    runs.of[runs.count++] = {targets.data, values, bounds.back().data()};
  }
};

SliceRuns take_runs(const Pairs& mine, const Split& split, const TeamMember& member) {
  const Stream& stream = member.stream();
  SliceRuns taken;
  const Slice slice = split.slice(member.number());
  if (member.is_alone()) {
    taken.add(mine.targets, mine.values.data(), slice, stream);
    return taken;
  }
  Offer offer = {mine.targets.data, mine.values.data(), std::vector<std::uint64_t>(member.team_size() + 1)};
  bucket_bounds(mine.targets, split.bucket_bits, 0, split.slice_size >> split.bucket_bits, member.team_size() + 1,
                stream)
      .read(offer.slice_begins);
  const std::vector<Offer> offers = member.share(offer);
  for (unsigned from = 0; from < offers.size(); ++from) {
    const Offer& other = offers[from];
    const std::uint64_t begin = other.slice_begins[member.number()];
    const std::uint64_t count = other.slice_begins[member.number() + 1] - begin;
    if (from == member.number()) {
      taken.add({other.targets + begin, count}, other.values + begin, slice, stream);
      continue;
    }
    Pairs& pairs = taken.received.emplace_back(count, stream);
    copy_values(pairs.own_targets.data(), other.targets + begin, count, stream);
    copy_values(pairs.values.data(), other.values + begin, count, stream);
    taken.add(pairs.targets, pairs.values.data(), slice, stream);
  }
  member.meet();  // until then the others may read `mine`
  return taken;
}

Buffer<std::uint32_t> scatter(const Runs& runs, const Slice& slice, const Stream& stream) {
  Buffer<std::uint32_t> ranks(slice.size, stream);
  if (slice.size == 0) return ranks;
  const unsigned piece_bits = std::min(slice.bucket_bits, shared_bits);
  const std::size_t shared_bytes = sizeof(std::uint32_t) << piece_bits;
  check(
      cudaFuncSetAttribute(scatter_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes)),
      "asking for shared memory");
  const auto pieces = static_cast<unsigned>(((slice.size - 1) >> piece_bits) + 1);
  scatter_kernel<<<pieces, scatter_threads, shared_bytes, stream.handle()>>>(runs, slice, piece_bits, ranks.data());
  check_launch("scatter_kernel", stream.handle());
  return ranks;
}

}  // namespace

Ranks inverse(const Buffer<std::uint32_t>& suffixes, const sort::cuda::GroupsView& groups, const TeamRows& rows,
              const TeamMember& member) {
  if (rows.all == 0) return {};
  const Split split(rows.all, member.team_size());
  const Pairs pairs = order_pairs(suffixes, groups, rows.first, split, member.stream());
  const SliceRuns taken = take_runs(pairs, split, member);
  Ranks ranks;
  ranks.slice = scatter(taken.runs, split.slice(member.number()), member.stream());
  ranks.view.slice_size = static_cast<std::uint32_t>(split.slice_size);
  ranks.view.is_split = !member.is_alone();
  const std::vector<std::uint32_t*> slices = member.share(ranks.slice.data());
  std::copy(slices.begin(), slices.end(), ranks.view.slices);
  return ranks;
}

Buffer<std::uint32_t> inverse(const Buffer<std::uint32_t>& suffixes, const Stream& stream) {
  sort::cuda::Groups rows(suffixes.size(), stream);
  check(cudaMemsetAsync(rows.heads(), 0xFF, rows.head_threads() / 8, stream.handle()), "marking rows");
  rows.sum_up(stream);
  return inverse(suffixes, rows.view(), {0, suffixes.size()}, TeamMember(stream)).slice;
}

}  // namespace warpseed::suffix::cuda
