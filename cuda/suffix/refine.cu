#include "suffix/refine.cuh"

#include <algorithm>
#include <optional>

#include "core/lanes.cuh"
#include "core/launch.cuh"
#include "core/primitives.cuh"
#include "sort/segmented_sort.cuh"
#include "suffix/inverse.cuh"
#include "suffix/rank_updates.cuh"

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

/// One warp per word of 32 ties: how many ranks change.
__global__ void count_changes_kernel(sort::cuda::GroupsView groups, const std::uint32_t* old_heads, std::uint64_t words,
                                     std::uint32_t* changes) {
  const std::uint64_t i = thread_index();
  const bool changed = i < groups.count && rank_changes(groups, old_heads, i);
  const std::uint32_t bits = __ballot_sync(all_lanes, changed);
  if (i % 32 == 0 && i / 32 < words) changes[i / 32] = static_cast<std::uint32_t>(__popc(bits));
}

/// One warp per word of 32 ties. before: changes in earlier words.
__global__ void list_changes_kernel(sort::cuda::GroupsView groups, const std::uint32_t* rows, std::uint32_t first_row,
                                    const std::uint32_t* old_heads, const std::uint32_t* sorted,
                                    const std::uint32_t* before, std::uint32_t* slots, std::uint32_t* ranks) {
  const std::uint64_t i = thread_index();
  const bool changed = i < groups.count && rank_changes(groups, old_heads, i);
  const std::uint32_t bits = __ballot_sync(all_lanes, changed);
  if (!changed) return;
  const std::uint64_t at = std::uint64_t{before[i / 32]} + static_cast<unsigned>(__popc(bits & lower_lane_mask()));
  slots[at] = sorted[i];
  ranks[at] = first_row + rows[groups.head_of(i)];
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

  /// Writes sorted ties to their rows and updates the ranks. all_ties: of all members.
  void scatter(const Ties& ties, const sort::cuda::Groups& tied_groups, std::uint64_t all_ties,
               std::uint64_t memory_bytes) {
    const Stream& stream = member.stream();
    const std::uint64_t count = ties.count();
    launch("scatter_ties_kernel", scatter_ties_kernel, count, stream, count, ties.rows.data(), ties.slots.data(),
           suffixes.data());
    groups.add_heads(tied_groups.view(), ties.rows.data(), stream);
    constexpr std::uint64_t few = 1 << 22;  // random writes of fewer take less time than the way around them
    if (all_ties < few)
      write_directly(ties, tied_groups);
    else
      write_many(ties, tied_groups, memory_bytes);
  }

 private:
  void write_directly(const Ties& ties, const sort::cuda::Groups& tied_groups) const {
    member.meet();  // until then the others read the ranks
    launch("update_ranks_kernel", update_ranks_kernel, ties.count(), member.stream(), tied_groups.view(),
           ties.rows.data(), static_cast<std::uint32_t>(rows.first), ties.old_heads.data(), ties.slots.data(),
           ranks.view);
  }

  /// All ranks again if most change, else those that change.
  void write_many(const Ties& ties, const sort::cuda::Groups& tied_groups, std::uint64_t memory_bytes) {
    const Stream& stream = member.stream();
    const std::uint64_t words = ties.count() / 32 + 1;
    Buffer<std::uint32_t> before(words + 1, stream);
    before.fill_zero();
    launch("count_changes_kernel", count_changes_kernel, 32 * words, stream, tied_groups.view(), ties.old_heads.data(),
           words, before.data());
    exclusive_sum(before, stream);
    const std::uint64_t changes = before.value_at(words);
    const std::uint64_t all_changes = sum_of_members(changes, member);  // until then the others read the ranks
    if (5 * all_changes > 2 * rows.all && has_memory_for_inverse(memory_bytes)) {  // then inverse() takes less time
      before = {};
      groups.sum_up(stream);
      ranks = {};
      ranks = inverse(suffixes, groups.view(), rows, member);
      return;
    }
    RankUpdates updates(changes, stream);
    updates.count = changes;
    launch("list_changes_kernel", list_changes_kernel, 32 * words, stream, tied_groups.view(), ties.rows.data(),
           static_cast<std::uint32_t>(rows.first), ties.old_heads.data(), ties.slots.data(), before.data(),
           updates.slots.data(), updates.ranks.data());
    write_ranks(std::move(updates), rows.all, ranks, member);
  }

  /// The same for all members.
  bool has_memory_for_inverse(std::uint64_t memory_bytes) const {
    constexpr std::uint64_t bytes = 20;  // per suffix, in addition to the array and the ranks that it replaces
    return !any_member(bytes * suffixes.size() >= member.stream().available_bytes(memory_bytes), member);
  }
};

/// Throws TooManyTies in every member if one of them has too little memory.
void require_memory(std::uint64_t ties, std::uint64_t memory_bytes, const TeamMember& member) {
  const std::uint64_t needed = 42 * ties, available = member.stream().available_bytes(memory_bytes);
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
  std::uint64_t all_ties = sum_of_members(groups.tied_count(), member);
  if (all_ties == 0) return;
  require_memory(groups.tied_count(), memory_bytes, member);
  std::optional<Ties> ties(std::in_place, groups, nullptr, suffixes.data(), ranks.view, step, stream);
  Order order = {suffixes, ranks, std::move(groups), rows, member};
  say(done, "gather ties");
  for (;;) {
    const sort::cuda::Groups tied_groups = ties->sort(stream, done);
    order.scatter(*ties, tied_groups, all_ties, memory_bytes);
    say(done, "  scatter");
    all_ties = sum_of_members(tied_groups.tied_count(), member);
    if (all_ties == 0) return;
    step *= 2;
    Ties next(tied_groups, ties->rows.data(), ties->slots.data(), ranks.view, step, stream);
    ties.emplace(std::move(next));
    say(done, "  gather");
  }
}

}  // namespace warpseed::suffix::cuda
