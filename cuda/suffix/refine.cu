#include "suffix/refine.cuh"

#include <bit>
#include <optional>

#include "core/launch.cuh"
#include "core/primitives.cuh"
#include "suffix/inverse.cuh"

namespace warpseed::cuda {

namespace {

/// The ties of a round go back to the rows they came from.
__global__ void place_ties_kernel(std::uint64_t count, const std::uint32_t* rows, const std::uint32_t* sorted,
                                  std::uint32_t* suffixes) {
  const std::uint64_t i = thread_index();
  if (i < count) suffixes[rows[i]] = sorted[i];
}

/// New ranks. The first part of a group that fell apart keeps the group's rank, and writes at random are what a round
/// spends most on.
__global__ void update_ranks_kernel(GroupsView groups, const std::uint32_t* rows, const std::uint64_t* keys,
                                    const std::uint32_t* sorted, unsigned rank_bits, std::uint32_t* ranks) {
  const std::uint64_t i = thread_index();
  if (i >= groups.count) return;
  const std::uint32_t head = groups.head_of(i);
  const bool same_rank = head == 0 || keys[head] >> rank_bits != keys[head - 1] >> rank_bits;
  if (!same_rank) ranks[sorted[i]] = rows[head];
}

/// What is still tied moves together: its row, its slot, and as key its group and the rank of what follows the symbols
/// that it shares with its group. rows: null when slot and row are the same.
__global__ void gather_ties_kernel(GroupsView groups, const std::uint32_t* rows, const std::uint32_t* sorted,
                                   const std::uint32_t* ranks, std::uint64_t step, unsigned rank_bits,
                                   std::uint32_t* tied_rows, std::uint32_t* tied, std::uint64_t* tied_keys) {
  const std::uint64_t i = thread_index();
  if (i >= groups.count || !groups.is_tied(i)) return;
  const std::uint32_t number = groups.tied_number(i), suffix = sorted[i];
  tied_rows[number] = rows == nullptr ? static_cast<std::uint32_t>(i) : rows[i];
  tied[number] = suffix;
  tied_keys[number] = std::uint64_t{groups.group_number(i)} << rank_bits | ranks[suffix + step];
}

/// The bits that numbers below `count` need.
unsigned bits_for(std::uint64_t count) {
  return count <= 1 ? 0 : static_cast<unsigned>(std::bit_width(count - 1));
}

/// The suffixes that are still tied: [count] each, in row order.
struct Ties {
  Buffer<std::uint32_t> rows;
  SortablePairs<std::uint32_t> pairs;  // (group, next rank) -> slot
  unsigned rank_bits, key_bits;

  Ties(const Groups& groups, const std::uint32_t* from_rows, const std::uint32_t* from_sorted,
       const Buffer<std::uint32_t>& ranks, std::uint64_t step, const Stream& stream)
      : rows(groups.tied_count(), stream), pairs(groups.tied_count(), stream) {
    rank_bits = bits_for(ranks.size());
    key_bits = rank_bits + bits_for(groups.tied_groups());
    launch("gather_ties_kernel", gather_ties_kernel, groups.view().count, stream, groups.view(), from_rows, from_sorted,
           ranks.data(), step, rank_bits, rows.data(), pairs.values.data(), pairs.keys.data());
  }
};

/// Suffixes and ranks while ties are broken.
struct Order {
  Buffer<std::uint32_t>& suffixes;
  Buffer<std::uint32_t>& ranks;
  Groups groups;  // of all rows

  /// Puts sorted ties in their places. When that changes most ranks, they are all made anew: inverse() takes less than
  /// half the time of as many writes at random.
  void place(const Ties& ties, const Groups& tied_groups, std::uint64_t memory_bytes, const Stream& stream) {
    const std::uint64_t count = tied_groups.view().count, all = suffixes.size();
    const std::uint32_t* sorted = ties.pairs.values.data();
    launch("place_ties_kernel", place_ties_kernel, count, stream, count, ties.rows.data(), sorted, suffixes.data());
    groups.add_heads(tied_groups.view(), ties.rows.data(), stream);
    constexpr std::uint64_t inverse_bytes = 16;  // a suffix, beside the array and the ranks that it replaces
    if (count > all / 2 && inverse_bytes * all < available_device_bytes(memory_bytes)) {
      groups.sum_up(stream);
      ranks = {};
      ranks = inverse(suffixes, groups.view(), stream);
    } else {
      launch("update_ranks_kernel", update_ranks_kernel, count, stream, tied_groups.view(), ties.rows.data(),
             ties.pairs.keys.data(), sorted, ties.rank_bits, ranks.data());
    }
  }
};

}  // namespace

void refine(Buffer<std::uint32_t>& suffixes, Buffer<std::uint32_t>& ranks, Groups groups, std::uint64_t step,
            std::uint64_t memory_bytes, const Stream& stream, const StageDone& done) {
  if (groups.tied_count() == 0) return;
  const std::uint64_t needed = 29 * groups.tied_count(), available = available_device_bytes(memory_bytes);
  if (needed > available) {
    throw TooManyTies(std::to_string(groups.tied_count()) +
                      " suffixes share their first symbols with others; sorting " + "them takes " +
                      std::to_string(needed) + " bytes of device memory, " + std::to_string(available) +
                      " are allowed; allow more with --memory, or use --backend cpu");
  }
  std::optional<Ties> ties(std::in_place, groups, nullptr, suffixes.data(), ranks, step, stream);
  Order order = {suffixes, ranks, std::move(groups)};
  say(done, "gather ties");
  for (;;) {
    const std::uint64_t count = ties->rows.size();
    ties->pairs.sort(count, 0, ties->key_bits, stream);
    ties->pairs.drop_spare();
    say(done, "  sort");
    const Groups tied_groups = groups_of_keys(ties->pairs.keys, count, stream);
    say(done, "  groups");
    order.place(*ties, tied_groups, memory_bytes, stream);
    say(done, "  place");
    if (tied_groups.tied_count() == 0) return;
    step *= 2;
    ties->pairs.keys = {};
    Ties next(tied_groups, ties->rows.data(), ties->pairs.values.data(), ranks, step, stream);
    ties.emplace(std::move(next));
    say(done, "  gather");
  }
}

}  // namespace warpseed::cuda
