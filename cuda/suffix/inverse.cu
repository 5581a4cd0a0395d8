// Random writes cost a memory transaction each, even nearby ones. The pairs (target, value) are therefore first grouped
// by the high bits of their targets with a radix sort. Each bucket is ordered in shared memory and stored with
// contiguous writes. In a team every member groups the pairs of its rows, and then takes from all members those that
// belong in its slice.
#include "suffix/inverse.cuh"

#include <algorithm>
#include <bit>
#include <optional>
#include <vector>

#include "core/launch.cuh"
#include "core/primitives.cuh"
#include "suffix/bucket_bounds.cuh"

namespace warpseed::suffix::cuda {

namespace {

constexpr unsigned scatter_threads = 1024;  // one block per multiprocessor for pieces of 128 KB
constexpr unsigned max_bucket_bits = 16;    // two blocks share a bucket of this size
constexpr unsigned shared_bits = 15;        // 128 KB: what one block holds
constexpr unsigned radix_bits = 8;          // per pass of CUB's radix sort
constexpr unsigned team_pieces = 5;         // while one is sorted the one before is copied

/// One thread per four rows: ranks of the rows [begin, begin + count); begin is a multiple of 4.
__global__ void ranks_kernel(sort::cuda::GroupsView groups, std::uint32_t first_row, std::uint64_t begin,
                             std::uint64_t count, std::uint32_t* ranks) {
  const std::uint64_t i = 4 * thread_index();
  if (i >= count) return;
  std::uint32_t heads[4];
  groups.heads_of_four(begin + i, heads);
  if (i + 4 <= count) {
    *reinterpret_cast<uint4*>(ranks + i) =
        make_uint4(first_row + heads[0], first_row + heads[1], first_row + heads[2], first_row + heads[3]);
  } else {
    for (unsigned k = 0; i + k < count; ++k) ranks[i + k] = first_row + heads[k];
  }
}

/// Pairs in the order of their buckets.
struct Run {
  const std::uint32_t* targets = nullptr;
  const std::uint32_t* values = nullptr;
  const std::uint64_t* bucket_begins = nullptr;  // [buckets of the slice + 1]
};

/// One from each piece of the rows of each member.
struct Runs {
  Run of[max_team_size * team_pieces];
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

/// The pairs (suffix, rank) of the rows [begin, end) of a member, in the order of their buckets.
Pairs order_pairs(const Buffer<std::uint32_t>& suffixes, const sort::cuda::GroupsView& groups, std::uint64_t first_row,
                  std::uint64_t begin_row, std::uint64_t end_row, const Split& split, const Stream& stream) {
  const std::uint64_t count = end_row - begin_row;
  const unsigned bits = static_cast<unsigned>(std::bit_width(split.all - 1));
  Pairs pairs(suffixes.view().part(begin_row, end_row), Buffer<std::uint32_t>(count, stream));
  launch("ranks_kernel", ranks_kernel, (count + 3) / 4, stream, groups, static_cast<std::uint32_t>(first_row),
         begin_row, count, pairs.values.data());
  for (unsigned begin = split.bucket_bits; begin < bits; begin += radix_bits) {
    Pairs next(count, stream);
    if (count > 0) radix_pass(pairs, next, begin, std::min(begin + radix_bits, bits), stream);
    pairs = std::move(next);
  }
  return pairs;
}

/// Pieces get smaller: copying one takes 5/8 of the time that sorting it takes, and nothing hides the last copy. Borders
/// are multiples of four rows, so that runs are aligned alike, see for_each_pair().
std::uint64_t piece_begin(std::uint64_t rows, unsigned piece, unsigned pieces) {
  constexpr std::uint64_t before[team_pieces] = {0, 8, 13, 16, 18}, all = 19;
  return piece == pieces ? rows : rows * before[piece] / all / 4 * 4;
}

/// What a member has for the others: pairs, and where those of each slice begin.
struct Offer {
  const std::uint32_t *targets, *values;
  std::vector<std::uint64_t> slice_begins;
};

Offer make_offer(const Pairs& pairs, const Split& split, const TeamMember& member) {
  Offer offer = {pairs.targets.data, pairs.values.data(), std::vector<std::uint64_t>(member.team_size() + 1)};
  bucket_bounds(pairs.targets, split.bucket_bits, 0, split.slice_size >> split.bucket_bits, member.team_size() + 1,
                member.stream())
      .read(offer.slice_begins);
  return offer;
}

Buffer<std::uint32_t> scatter_runs(const Runs& runs, const Slice& slice, const Stream& stream) {
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

/// The pairs that belong in a member's slice: its own in place, copies of the others'.
class SlicePairs {
 public:
  SlicePairs(const Split& split, const TeamMember& member) : split_(split), member_(member) {
    if (!member.is_alone()) queue_.emplace(member.stream().device());
  }

  /// Takes those of a piece of the rows of every member, and keeps the piece. Every member must call it. Copies in the
  /// background.
  void add(Pairs pairs) {
    const Pairs& mine = mine_.emplace_back(std::move(pairs));
    if (member_.is_alone()) {
      runs_.push_back({mine.targets, mine.values.data()});
      return;
    }
    const std::vector<Offer> offers = member_.share(make_offer(mine, split_, member_));
    for (unsigned from = 0; from < offers.size(); ++from) {
      const Offer& offer = offers[from];
      const std::uint64_t begin = offer.slice_begins[member_.number()];
      const View<std::uint32_t> targets = {offer.targets + begin, offer.slice_begins[member_.number() + 1] - begin};
      if (from == member_.number())
        runs_.push_back({targets, offer.values + begin});
      else
        copy(targets, offer.values + begin);
    }
  }

  /// Writes the values to their targets.
  Buffer<std::uint32_t> scatter() const {
    const Stream& stream = member_.stream();
    if (queue_) QueueMark(queue_->handle()).hold(stream.handle());
    const Slice slice = split_.slice(member_.number());
    const std::uint64_t buckets = (slice.size + (std::uint64_t{1} << slice.bucket_bits) - 1) >> slice.bucket_bits;
    std::vector<Buffer<std::uint64_t>> bounds;
    Runs runs;
    for (const Targets& run : runs_) {
      bounds.push_back(
          bucket_bounds(run.targets, slice.bucket_bits, slice.begin >> slice.bucket_bits, 1, buckets + 1, stream));
      runs.of[runs.count++] = {run.targets.data, run.values, bounds.back().data()};
    }
    return scatter_runs(runs, slice, stream);
  }

 private:
  void copy(const View<std::uint32_t>& targets, const std::uint32_t* values) {
    Pairs& pairs = received_.emplace_back(targets.size, member_.stream());
    QueueMark(member_.stream().handle()).hold(queue_->handle());  // until the memory is there
    copy_values(pairs.own_targets.data(), targets.data, targets.size, queue_->handle());
    copy_values(pairs.values.data(), values, targets.size, queue_->handle());
    runs_.push_back({pairs.targets, pairs.values.data()});
  }

  struct Targets {
    View<std::uint32_t> targets;
    const std::uint32_t* values;
  };

  const Split& split_;
  const TeamMember& member_;
  std::optional<WorkQueue> queue_;  // for copies
  std::vector<Pairs> mine_, received_;
  std::vector<Targets> runs_;
};

}  // namespace

Ranks inverse(const Buffer<std::uint32_t>& suffixes, const sort::cuda::GroupsView& groups, const TeamRows& rows,
              const TeamMember& member) {
  if (rows.all == 0) return {};
  const Split split(rows.all, member.team_size());
  const unsigned pieces = member.is_alone() ? 1 : team_pieces;
  SlicePairs pairs(split, member);
  for (unsigned piece = 0; piece < pieces; ++piece) {
    pairs.add(order_pairs(suffixes, groups, rows.first, piece_begin(suffixes.size(), piece, pieces),
                          piece_begin(suffixes.size(), piece + 1, pieces), split, member.stream()));
  }
  Ranks ranks;
  ranks.slice = pairs.scatter();
  ranks.view.slice_size = static_cast<std::uint32_t>(split.slice_size);
  ranks.view.is_split = !member.is_alone();
  const std::vector<std::uint32_t*> slices = member.share(ranks.slice.data());  // then nobody reads `pairs` any more
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
