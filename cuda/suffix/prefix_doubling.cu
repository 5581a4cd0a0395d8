#include "suffix/prefix_doubling.cuh"

#include <bit>
#include <optional>

#include "core/launch.cuh"
#include "core/primitives.cuh"
#include "suffix/groups.cuh"
#include "suffix/initial_order.cuh"

namespace warpseed::cuda {

namespace {

/// Head bits after the sort by the first 32 bases. A short suffix is a group of its own: the initial order has
/// put it in its final place already.
__global__ void first_heads_kernel(DeviceTextView text, View<std::uint64_t> keys, const std::uint32_t* positions,
                                   std::uint64_t words, std::uint32_t* heads) {
  const std::uint64_t row = thread_index();
  bool head = true;
  if (row > 0 && row < text.text.size && keys[row] == keys[row - 1]) {
    head = text.separators_from(positions[row]) != 0 || text.separators_from(positions[row - 1]) != 0;
  }
  store_heads(heads, row, words, head);
}

__global__ void heads_kernel(View<std::uint64_t> keys, std::uint64_t count, std::uint64_t words, std::uint32_t* heads) {
  const std::uint64_t slot = thread_index();
  store_heads(heads, slot, words, slot == 0 || slot >= count || keys[slot] != keys[slot - 1]);
}

/// A suffix's rank is the row at which its group begins.
__global__ void first_ranks_kernel(GroupsView groups, const std::uint32_t* suffixes, std::uint32_t* ranks) {
  const std::uint64_t row = thread_index();
  if (row < groups.count) ranks[suffixes[row]] = groups.head_of(row);
}

/// The ties of a round, back in the rows they came from and with their new ranks.
__global__ void place_ties_kernel(GroupsView groups, const std::uint32_t* rows, const std::uint32_t* positions,
                                  std::uint32_t* suffixes, std::uint32_t* ranks) {
  const std::uint64_t slot = thread_index();
  if (slot >= groups.count) return;
  suffixes[rows[slot]] = positions[slot];
  ranks[positions[slot]] = rows[groups.head_of(slot)];
}

/// What is still tied moves together: its row, its position, and as key its group and the rank of what follows
/// the `depth` symbols that it shares with its group. rows: null when slot and row are the same.
///
/// A tied suffix has no separator among those symbols, so position + depth is a place in the text.
__global__ void gather_ties_kernel(GroupsView groups, const std::uint32_t* rows, const std::uint32_t* positions,
                                   const std::uint32_t* ranks, std::uint64_t depth, unsigned rank_bits,
                                   std::uint32_t* tied_rows, std::uint32_t* tied_positions, std::uint64_t* tied_keys) {
  const std::uint64_t slot = thread_index();
  if (slot >= groups.count || !groups.is_tied(slot)) return;
  const std::uint32_t number = groups.tied_number(slot);
  const std::uint32_t position = positions[slot];
  tied_rows[number] = rows == nullptr ? static_cast<std::uint32_t>(slot) : rows[slot];
  tied_positions[number] = position;
  tied_keys[number] = std::uint64_t{groups.group_number(slot)} << rank_bits | ranks[position + depth];
}

/// The bits that numbers below `count` need.
unsigned bits_for(std::uint64_t count) {
  return count <= 1 ? 0 : static_cast<unsigned>(std::bit_width(count - 1));
}

/// The suffixes that are still tied: [count] each, in row order.
struct Ties {
  Buffer<std::uint32_t> rows;
  SortablePairs pairs;  // (group, next rank) -> position
  unsigned key_bits;

  Ties(const Groups& groups, const std::uint32_t* from_rows, const std::uint32_t* from_positions,
       const Buffer<std::uint32_t>& ranks, std::uint64_t depth, const Stream& stream)
      : rows(groups.tied_count(), stream), pairs(groups.tied_count(), stream) {
    const unsigned rank_bits = bits_for(ranks.size());
    key_bits = rank_bits + bits_for(groups.tied_groups());
    launch("gather_ties_kernel", gather_ties_kernel, groups.view().count, stream, groups.view(), from_rows,
           from_positions, ranks.data(), depth, rank_bits, rows.data(), pairs.values.data(), pairs.keys.data());
  }
};

void say(const StageDone& done, std::string_view stage) {
  if (done) done(stage);
}

/// Rounds at depths 32, 64, ... until no two suffixes are tied.
void refine(Buffer<std::uint32_t>& suffixes, Buffer<std::uint32_t>& ranks, Groups groups, const Stream& stream,
            const StageDone& done) {
  if (groups.tied_count() == 0) return;
  std::uint64_t depth = key_bases;
  require_device_memory(40 * groups.tied_count(), "sorting the suffixes of a text with so many repeats");
  std::optional<Ties> ties(std::in_place, groups, nullptr, suffixes.data(), ranks, depth, stream);
  say(done, "gather ties");
  for (;;) {
    const std::uint64_t count = groups.tied_count();
    ties->pairs.sort(count, ties->key_bits, stream);
    groups = Groups(count, stream);
    launch("heads_kernel", heads_kernel, groups.head_threads(), stream, ties->pairs.keys.view(), count,
           groups.head_threads() / 32, groups.heads());
    groups.sum_up(stream);
    launch("place_ties_kernel", place_ties_kernel, count, stream, groups.view(), ties->rows.data(),
           ties->pairs.values.data(), suffixes.data(), ranks.data());
    depth *= 2;
    if (groups.tied_count() == 0) break;
    ties->pairs.keys = {}, ties->pairs.spare_keys = {}, ties->pairs.spare_values = {};
    Ties next(groups, ties->rows.data(), ties->pairs.values.data(), ranks, depth, stream);
    ties.emplace(std::move(next));
    say(done, "round");
  }
  say(done, "round");
}

}  // namespace

std::uint64_t sorting_bytes(std::uint64_t symbols) {
  return 25 * symbols + (std::uint64_t{64} << 20);  // the sort's histograms and the like beside it
}

Buffer<std::uint32_t> sort_suffixes(const DeviceText& text, const Stream& stream, const StageDone& done) {
  const std::uint64_t count = text.size();
  if (count == 0) return {};
  require_device_memory(sorting_bytes(count), "sorting suffixes");
  std::optional<SortablePairs> pairs(std::in_place, count, stream);
  list_suffixes(text, *pairs, stream);
  say(done, "keys");
  pairs->sort(count, 2 * key_bases, stream);
  say(done, "radix sort");

  Groups groups(count, stream);
  launch("first_heads_kernel", first_heads_kernel, groups.head_threads(), stream, text.view(), pairs->keys.view(),
         pairs->values.data(), groups.head_threads() / 32, groups.heads());
  groups.sum_up(stream);
  say(done, "groups");
  Buffer<std::uint32_t> suffixes = std::move(pairs->values);
  pairs.reset();
  if (groups.tied_count() == 0) return suffixes;

  Buffer<std::uint32_t> ranks(count, stream);
  launch("first_ranks_kernel", first_ranks_kernel, count, stream, groups.view(), suffixes.data(), ranks.data());
  say(done, "inverse");
  refine(suffixes, ranks, std::move(groups), stream, done);
  return suffixes;
}

}  // namespace warpseed::cuda
