#include "suffix/refine.cuh"

#include <algorithm>
#include <optional>

#include "core/lanes.cuh"
#include "core/launch.cuh"
#include "sort/segmented_sort.cuh"
#include "suffix/inverse.cuh"

namespace warpseed::suffix::cuda {

namespace {

/// Writes the sorted ties of a round to their rows.
__global__ void scatter_ties_kernel(std::uint64_t count, const std::uint32_t* rows, const std::uint32_t* sorted,
                                    std::uint32_t* suffixes) {
  const std::uint64_t i = thread_index();
  if (i < count) suffixes[rows[i]] = sorted[i];
}

/// One bit per tie: it began a group before the round.
__device__ bool was_head(const std::uint32_t* old_heads, std::uint64_t i) {
  return old_heads[i / 32] >> (i % 32) & 1;
}

/// After the round a group also begins where the rank of the following symbols changes.
__global__ void new_heads_kernel(View<std::uint32_t> keys, const std::uint32_t* old_heads, std::uint64_t words,
                                 std::uint32_t* heads) {
  const std::uint64_t i = thread_index();
  sort::cuda::store_heads(heads, i, words, i >= keys.size || was_head(old_heads, i) || keys[i] != keys[i - 1]);
}

/// The first part of a group that was split keeps the group's rank.
__device__ bool rank_changes(const sort::cuda::GroupsView& groups, const std::uint32_t* old_heads, std::uint64_t i) {
  return !was_head(old_heads, groups.head_of(i));
}

__global__ void count_changes_kernel(sort::cuda::GroupsView groups, const std::uint32_t* old_heads,
                                     unsigned long long* changes) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  std::uint32_t mine = 0;
  for (std::uint64_t i = thread_index(); i < groups.count; i += step) mine += rank_changes(groups, old_heads, i);
  const std::uint32_t of_warp = __reduce_add_sync(all_lanes, mine);
  if (lane_id() == 0) atomicAdd(changes, of_warp);
}

__global__ void update_ranks_kernel(sort::cuda::GroupsView groups, const std::uint32_t* rows, std::uint32_t first_row,
                                    const std::uint32_t* old_heads, const std::uint32_t* sorted, RanksView ranks) {
  const std::uint64_t i = thread_index();
  if (i < groups.count && rank_changes(groups, old_heads, i)) ranks[sorted[i]] = first_row + rows[groups.head_of(i)];
}

/// Output for ties: each with its row, its slot, and as key the rank of the suffix that follows the symbols shared by
/// its group.
struct TieArrays {
  std::uint32_t *rows, *slots, *keys;
  std::uint64_t* offsets;  // begin of each group
  std::uint32_t* heads;    // the same as bits; cleared
};

/// Compacts the suffixes that are still tied. rows: null if slot and row are the same.
__global__ void gather_ties_kernel(sort::cuda::GroupsView groups, const std::uint32_t* rows,
                                   const std::uint32_t* sorted, RanksView ranks, std::uint64_t step, TieArrays ties) {
  const std::uint64_t i = thread_index();
  if (i >= groups.count || !groups.is_tied(i)) return;
  const std::uint32_t number = groups.tied_number(i), suffix = sorted[i];
  ties.rows[number] = rows == nullptr ? static_cast<std::uint32_t>(i) : rows[i];
  ties.slots[number] = suffix;
  ties.keys[number] = ranks[suffix + step];
  if (!groups.is_head(i)) return;
  ties.offsets[groups.group_number(i)] = number;
  atomicOr(&ties.heads[number / 32], 1U << number % 32);
}

/// The suffixes that are still tied: [count] each, in row order.
struct Ties {
  Buffer<std::uint32_t> rows, slots, keys;
  Buffer<std::uint32_t> old_heads;  // one bit each
  Buffer<std::uint64_t> offsets;    // [groups + 1]

  Ties(const sort::cuda::Groups& groups, const std::uint32_t* from_rows, const std::uint32_t* from_sorted,
       const RanksView& ranks, std::uint64_t step, const Stream& stream)
      : rows(groups.tied_count(), stream),
        slots(groups.tied_count(), stream),
        keys(groups.tied_count(), stream),
        old_heads(groups.tied_count() / 32 + 1, stream),
        offsets(groups.tied_groups() + 1, stream) {
    old_heads.fill_zero();
    launch("gather_ties_kernel", gather_ties_kernel, groups.view().count, stream, groups.view(), from_rows, from_sorted,
           ranks, step, TieArrays{rows.data(), slots.data(), keys.data(), offsets.data(), old_heads.data()});
    const std::uint64_t end = groups.tied_count();
    check(cudaMemcpyAsync(offsets.data() + groups.tied_groups(), &end, sizeof(end), cudaMemcpyHostToDevice,
                          stream.handle()),
          "ending the groups");
  }

  std::uint64_t count() const { return rows.size(); }

  /// Sorts each group; returns the remaining groups.
  sort::cuda::Groups sort(const Stream& stream, const StageDone& done) {
    Buffer<std::uint32_t> sorted_keys(count(), stream), sorted_slots(count(), stream);
    if (count() > 0) {
      sort::cuda::segmented_sort<std::uint32_t>({keys.data(), slots.data(), sorted_keys.data(), sorted_slots.data()},
                                                offsets.view(), count(), stream);
    }
    slots = std::move(sorted_slots), keys = {}, offsets = {};
    say(done, "  sort");
    sort::cuda::Groups groups(count(), stream);
    launch("new_heads_kernel", new_heads_kernel, groups.head_threads(), stream, sorted_keys.view(), old_heads.data(),
           groups.head_threads() / 32, groups.heads());
    groups.sum_up(stream);
    say(done, "  groups");
    return groups;
  }
};

/// A member's suffixes, and the ranks, during the rounds.
struct Order {
  Buffer<std::uint32_t>& suffixes;
  Ranks& ranks;
  sort::cuda::Groups groups;  // of all rows of the member
  const TeamRows& rows;
  const TeamMember& member;

  /// Writes sorted ties to their rows and updates the ranks. Random writes dominate a round: if many ranks change, all
  /// are recomputed.
  void scatter(const Ties& ties, const sort::cuda::Groups& tied_groups, std::uint64_t memory_bytes) {
    const Stream& stream = member.stream();
    const std::uint64_t count = ties.count();
    launch("scatter_ties_kernel", scatter_ties_kernel, count, stream, count, ties.rows.data(), ties.slots.data(),
           suffixes.data());
    groups.add_heads(tied_groups.view(), ties.rows.data(), stream);
    if (recompute_is_faster(ties, tied_groups, memory_bytes)) {
      groups.sum_up(stream);
      ranks = {};
      ranks = inverse(suffixes, groups.view(), rows, member);
    } else {
      launch("update_ranks_kernel", update_ranks_kernel, count, stream, tied_groups.view(), ties.rows.data(),
             static_cast<std::uint32_t>(rows.first), ties.old_heads.data(), ties.slots.data(), ranks.view);
    }
  }

 private:
  /// Whether so many ranks change that inverse() takes less time, and all members have the memory for it. The same for
  /// all members.
  bool recompute_is_faster(const Ties& ties, const sort::cuda::Groups& tied_groups, std::uint64_t memory_bytes) const {
    const auto many = [&](std::uint64_t ranks_changed) { return 5 * ranks_changed > 2 * rows.all; };
    if (!many(sum_of_members(ties.count(), member))) return false;  // not even if all of them change
    constexpr std::uint64_t inverse_bytes = 20;  // per suffix, in addition to the array and the ranks that it replaces
    const bool lacks_memory = inverse_bytes * suffixes.size() >= member.stream().pool().available_bytes(memory_bytes);
    return many(sum_of_members(changes(ties, tied_groups), member)) && !any_member(lacks_memory, member);
  }

  /// Number of ranks that change.
  std::uint64_t changes(const Ties& ties, const sort::cuda::Groups& tied_groups) const {
    const Stream& stream = member.stream();
    Buffer<unsigned long long> changed(1, stream);
    changed.fill_zero();
    constexpr std::uint64_t max_threads = 1 << 18;  // fills the largest devices
    launch("count_changes_kernel", count_changes_kernel, std::min(ties.count(), max_threads), stream,
           tied_groups.view(), ties.old_heads.data(), changed.data());
    return changed.value_at(0);
  }
};

/// Throws TooManyTies in every member if one of them has too little memory.
void require_memory(std::uint64_t ties, std::uint64_t memory_bytes, const TeamMember& member) {
  const std::uint64_t needed = 42 * ties, available = member.stream().pool().available_bytes(memory_bytes);
  if (!any_member(needed > available, member)) return;
  throw TooManyTies(std::to_string(ties) + " suffixes share their first symbols with others; sorting them takes " +
                    std::to_string(needed) + " bytes of device memory, " + std::to_string(available) +
                    " are allowed; allow more with --memory, or use --backend cpu");
}

}  // namespace

bool any_tied(const sort::cuda::Groups& groups, const TeamMember& member) {
  return any_member(groups.tied_count() > 0, member);
}

void refine(Buffer<std::uint32_t>& suffixes, Ranks& ranks, sort::cuda::Groups groups, const TeamRows& rows,
            std::uint64_t step, std::uint64_t memory_bytes, const TeamMember& member, const StageDone& done) {
  const Stream& stream = member.stream();
  if (!any_tied(groups, member)) return;
  require_memory(groups.tied_count(), memory_bytes, member);
  std::optional<Ties> ties(std::in_place, groups, nullptr, suffixes.data(), ranks.view, step, stream);
  Order order = {suffixes, ranks, std::move(groups), rows, member};
  say(done, "gather ties");
  for (;;) {
    const sort::cuda::Groups tied_groups = ties->sort(stream, done);
    member.meet();  // until then the others read the ranks
    order.scatter(*ties, tied_groups, memory_bytes);
    say(done, "  scatter");
    if (!any_tied(tied_groups, member)) return;
    step *= 2;
    Ties next(tied_groups, ties->rows.data(), ties->slots.data(), ranks.view, step, stream);
    ties.emplace(std::move(next));
    say(done, "  gather");
  }
}

}  // namespace warpseed::suffix::cuda
