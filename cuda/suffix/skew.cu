#include "suffix/skew.cuh"

#include <bit>
#include <cub/device/device_merge.cuh>
#include <utility>

#include "core/launch.cuh"
#include "core/primitives.cuh"
#include "suffix/inverse.cuh"
#include "suffix/order_by_keys.cuh"
#include "suffix/refine.cuh"

namespace warpseed::suffix::cuda {

namespace {

constexpr DifferenceCover cover = difference_cover(3);
static_assert(cover.members[0] == 1 && cover.members[1] == 2 && cover.size == 2);

/// cover.slot() and cover.position() with divisions by constants.
__device__ std::uint64_t slot_of(TextPos position) {
  return position / 3 * 2 + position % 3 - 1;
}
__device__ TextPos position_of(std::uint64_t slot) {
  return slot / 2 * 3 + 1 + slot % 2;
}

/// A packed text as the skew sorters read it: 0 is a separator only.
struct PackedSymbols {
  DeviceTextView text;
  __device__ std::uint32_t operator[](TextPos i) const {
    if (text.is_separator(i)) return 0;
    return text.separators == nullptr ? text.symbol(i) : text.symbol(i) + 1;
  }
  std::uint64_t size() const { return text.size; }
  unsigned bits() const { return text.symbol_bits + 1; }
};

/// A text of names; only the last one is 0.
struct Names {
  const std::uint32_t* names;
  std::uint64_t count;
  __device__ std::uint32_t operator[](TextPos i) const { return i < count ? names[i] : 0; }
  std::uint64_t size() const { return count; }
  unsigned bits() const { return static_cast<unsigned>(std::bit_width(count)); }
};

/// The sorted suffixes at positions of 1 and 2 modulo 3, and the rank of each by slot.
struct SortedCover {
  Buffer<std::uint32_t> slots, ranks;
};

__global__ void positions_kernel(View<std::uint32_t> slots, std::uint32_t* positions) {
  const std::uint64_t i = thread_index();
  if (i < slots.size) positions[i] = static_cast<std::uint32_t>(position_of(slots[i]));
}

/// The suffixes at multiples of 3: a symbol, and the rank of the next suffix. Separators come in text order.
template <class Text>
__global__ void rest_keys_kernel(Text text, const std::uint32_t* ranks, std::uint64_t count, std::uint64_t* keys,
                                 std::uint32_t* positions) {
  const std::uint64_t i = thread_index();
  if (i >= count) return;
  const TextPos position = 3 * i;
  const std::uint64_t symbol = text[position];
  keys[i] = symbol == 0 ? position : symbol << 32 | ranks[slot_of(position + 1)];
  positions[i] = static_cast<std::uint32_t>(position);
}

/// Compares a suffix of the cover with one of the rest: by one or two symbols, then by ranks in the cover.
template <class Text>
struct CoverLess {
  Text text;
  const std::uint32_t* ranks;

  __device__ bool operator()(std::uint32_t a, std::uint32_t b) const {
    const unsigned step = a % 3 == 2 || b % 3 == 2 ? 2 : 1;
    for (unsigned i = 0; i < step; ++i) {
      const std::uint32_t a_symbol = text[a + i], b_symbol = text[b + i];
      if (a_symbol != b_symbol) return a_symbol < b_symbol;
      if (a_symbol == 0) return a < b;
    }
    return ranks[slot_of(TextPos{a} + step)] < ranks[slot_of(TextPos{b} + step)];
  }
};

template <class Text>
Buffer<std::uint32_t> sort_rest(const Text& text, const Buffer<std::uint32_t>& ranks, const Stream& stream) {
  const std::uint64_t count = (text.size() + 2) / 3;
  SortablePairs<std::uint32_t> pairs(count, stream);
  launch("rest_keys_kernel", rest_keys_kernel<Text>, count, stream, text, ranks.data(), count, pairs.keys.data(),
         pairs.values.data());
  pairs.sort(count, 0, 32 + text.bits(), stream);
  return std::move(pairs.values);
}

template <class Text>
Buffer<std::uint32_t> merge_rest(const Text& text, SortedCover sorted, const Stream& stream, const StageDone& done) {
  const Buffer<std::uint32_t> rest = sort_rest(text, sorted.ranks, stream);
  say(done, "sort rest");
  Buffer<std::uint32_t> positions(sorted.slots.size(), stream), all(text.size(), stream);
  launch("positions_kernel", positions_kernel, positions.size(), stream, sorted.slots.view(), positions.data());
  with_temporary_storage("merging suffixes", stream, [&](void* storage, std::size_t& bytes) {
    return cub::DeviceMerge::MergeKeys(storage, bytes, positions.data(), static_cast<std::int64_t>(positions.size()),
                                       rest.data(), static_cast<std::int64_t>(rest.size()), all.data(),
                                       CoverLess<Text>{text, sorted.ranks.data()}, stream.handle());
  });
  say(done, "merge rest");
  return all;
}

/// Index of a slot's name in the text of names: positions of 1 modulo 3 come first. The last of these reaches the
/// text's end, so that its name is unique and comparisons stop there.
__host__ __device__ inline std::uint64_t index_of(std::uint64_t slot, std::uint64_t slots) {
  return slot % 2 == 0 ? slot / 2 : (slots + 1) / 2 + slot / 2;
}
__host__ __device__ inline std::uint64_t slot_at(std::uint64_t index, std::uint64_t slots) {
  const std::uint64_t first_class = (slots + 1) / 2;
  return index < first_class ? 2 * index : 2 * (index - first_class) + 1;
}

/// A name is the row at which its group begins, counted from 1; the end follows the last name.
__global__ void names_kernel(sort::cuda::GroupsView groups, const std::uint32_t* slots, std::uint32_t* names) {
  const std::uint64_t row = thread_index();
  if (row < groups.count) names[index_of(slots[row], groups.count)] = groups.head_of(row) + 1;
  if (row == groups.count) names[row] = 0;
}

/// The order of the names' suffixes is the order of the slots; its first row is the end.
__global__ void slots_kernel(const std::uint32_t* sorted_positions, std::uint64_t slots, std::uint32_t* sorted_slots) {
  const std::uint64_t row = thread_index();
  if (row < slots) sorted_slots[row] = static_cast<std::uint32_t>(slot_at(sorted_positions[row + 1], slots));
}

Buffer<std::uint32_t> sort_names(const Buffer<std::uint32_t>& names, const Stream& stream, const StageDone& done);

/// slots: sorted by their first symbols; groups: those that are equal so far.
SortedCover finish_cover(Buffer<std::uint32_t> slots, sort::cuda::Groups groups, const Stream& stream,
                         const StageDone& done) {
  const std::uint64_t count = slots.size();
  if (groups.tied_count() > 0) {
    Buffer<std::uint32_t> names(count + 1, stream);
    launch("names_kernel", names_kernel, count + 1, stream, groups.view(), slots.data(), names.data());
    groups = sort::cuda::Groups(0, stream);
    say(done, "names");
    const Buffer<std::uint32_t> name_order = sort_names(names, stream, done);
    launch("slots_kernel", slots_kernel, count, stream, name_order.data(), count, slots.data());
  }
  Buffer<std::uint32_t> ranks = inverse(slots, stream);
  return {std::move(slots), std::move(ranks)};
}

__global__ void last_names_kernel(Names names, std::uint64_t count, std::uint64_t* keys, std::uint32_t* slots) {
  const std::uint64_t slot = thread_index();
  if (slot >= count) return;
  keys[slot] = names[position_of(slot) + 2];
  slots[slot] = static_cast<std::uint32_t>(slot);
}

__global__ void first_names_kernel(Names names, std::uint64_t count, const std::uint32_t* slots, std::uint64_t* keys) {
  const std::uint64_t i = thread_index();
  if (i >= count) return;
  const TextPos position = position_of(slots[i]);
  keys[i] = std::uint64_t{names[position]} << 32 | names[position + 1];
}

__global__ void triple_heads_kernel(Names names, View<std::uint64_t> keys, const std::uint32_t* slots,
                                    std::uint64_t count, std::uint64_t words, std::uint32_t* heads) {
  const std::uint64_t row = thread_index();
  bool head = true;
  if (row > 0 && row < count && keys[row] == keys[row - 1]) {
    head = names[position_of(slots[row]) + 2] != names[position_of(slots[row - 1]) + 2];
  }
  sort::cuda::store_heads(heads, row, words, head);
}

/// The suffix array of a text of names by the same method, with triples as names.
Buffer<std::uint32_t> sort_names(const Buffer<std::uint32_t>& name_buffer, const Stream& stream,
                                 const StageDone& done) {
  const Names names = {name_buffer.data(), name_buffer.size()};
  const std::uint64_t count = cover.slots(names.size());
  SortablePairs<std::uint32_t> pairs(count, stream);
  launch("last_names_kernel", last_names_kernel, count, stream, names, count, pairs.keys.data(), pairs.values.data());
  pairs.sort(count, 0, names.bits(), stream);
  launch("first_names_kernel", first_names_kernel, count, stream, names, count, pairs.values.data(), pairs.keys.data());
  pairs.sort(count, 0, 32 + names.bits(), stream);
  pairs.drop_spare();
  sort::cuda::Groups groups(count, stream);
  launch("triple_heads_kernel", triple_heads_kernel, groups.head_threads(), stream, names, pairs.keys.view(),
         pairs.values.data(), count, groups.head_threads() / 32, groups.heads());
  groups.sum_up(stream);
  pairs.keys = {};
  say(done, "sort names");
  SortedCover sorted = finish_cover(std::move(pairs.values), std::move(groups), stream, done);
  return merge_rest(names, std::move(sorted), stream, done);
}

KeyOrder order_cover(const DeviceText& text, const Stream& stream, const StageDone& done) {
  return order_by_keys(text, CoverSlots{cover.slots(text.size()), cover}, layout_for_some(text), TeamMember(stream),
                       done);
}

}  // namespace

Buffer<std::uint32_t> sort_by_skew(const DeviceText& text, const Stream& stream, const StageDone& done) {
  KeyOrder order = order_cover(text, stream, done);
  SortedCover sorted = finish_cover(std::move(order.suffixes), std::move(order.groups), stream, done);
  return merge_rest(PackedSymbols{text.view()}, std::move(sorted), stream, done);
}

Buffer<std::uint32_t> sort_by_skew_prefix_doubling(const DeviceText& text, std::uint64_t memory_bytes,
                                                   const Stream& stream, const StageDone& done) {
  KeyOrder order = order_cover(text, stream, done);
  SortedCover sorted;
  sorted.slots = std::move(order.suffixes);
  const TeamMember alone(stream);
  Ranks ranks = inverse(sorted.slots, order.groups.view(), order.rows, alone);
  say(done, "inverse");
  const std::uint64_t step = std::uint64_t{order.depth} / cover.period * cover.size;
  refine(sorted.slots, ranks, std::move(order.groups), order.rows, step, memory_bytes, alone, done);
  sorted.ranks = std::move(ranks.slice);
  return merge_rest(PackedSymbols{text.view()}, std::move(sorted), stream, done);
}

}  // namespace warpseed::suffix::cuda
