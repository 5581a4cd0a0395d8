#include "suffix/order_by_keys.cuh"

#include <algorithm>
#include <optional>

#include "core/lanes.cuh"
#include "core/launch.cuh"
#include "suffix/merge_path.cuh"

namespace warpseed::suffix::cuda {

namespace {

/// A unit is `stride` neighbouring suffixes. It is blocked if a separator is so near that a key of one of its suffixes
/// would include it: such suffixes are listed individually.
constexpr unsigned near = 32;  // symbols: covered by one read of the bitmap

/// One thread per unit; one bit per unit, and their number per word.
template <class Slots>
__global__ void block_units_kernel(DeviceTextView text, Slots slots, unsigned stride, std::uint64_t units,
                                   std::uint32_t* blocked, std::uint32_t* blocked_in_word) {
  const std::uint64_t unit = thread_index();
  const bool is_blocked = unit < units && text.separators_from(slots.position(unit * stride)) != 0;
  const std::uint32_t bits = __ballot_sync(all_lanes, is_blocked);
  if (unit % 32 == 0 && unit / 32 <= units / 32) {
    blocked[unit / 32] = bits;
    blocked_in_word[unit / 32] = static_cast<std::uint32_t>(__popc(bits));
  }
}

/// Bits of blocked units, and their number before each word of 32.
struct Units {
  const std::uint32_t* blocked;
  const std::uint32_t* blocked_before;
  std::uint64_t count;

  __device__ bool is_blocked(std::uint64_t unit) const { return blocked[unit / 32] >> (unit % 32) & 1; }
  __device__ std::uint64_t before(std::uint64_t unit) const {
    const std::uint32_t earlier = blocked[unit / 32] & ((1U << (unit % 32)) - 1);
    return blocked_before[unit / 32] + static_cast<unsigned>(__popc(earlier));
  }
};

/// One thread per unit. It lists the last suffix of an open unit with its key and the symbols before it, or all
/// suffixes of a blocked unit with their lengths, by which they are sorted first.
template <class Slots>
__global__ void list_units_kernel(DeviceTextView text, Slots slots, KeyLayout layout, Units units, std::uint64_t* keys,
                                  std::uint32_t* values, std::uint64_t* lengths, std::uint32_t* single_values) {
  const std::uint64_t unit = thread_index();
  if (unit >= units.count) return;
  const std::uint64_t first = unit * layout.stride, blocked_before = units.before(unit);
  if (!units.is_blocked(unit)) {
    const std::uint64_t out = unit - blocked_before, last = first + layout.stride - 1;
    const unsigned lead_bits = layout.lead_bits(layout.stride - 1);
    const std::uint64_t lead = lead_bits == 0 ? 0 : text.window(slots.position(first)) >> (64 - lead_bits);
    keys[out] = (text.window(slots.position(last)) & layout.mask()) | lead;
    values[out] = static_cast<std::uint32_t>(last);
    return;
  }
  for (unsigned i = 0; i < layout.stride && first + i < slots.count; ++i) {
    lengths[blocked_before * layout.stride + i] =
        symbols_before_separator(text, slots.position(first + i), layout.symbols);
    single_values[blocked_before * layout.stride + i] = static_cast<std::uint32_t>(first + i);
  }
}

template <class Slots>
__global__ void single_keys_kernel(DeviceTextView text, Slots slots, KeyLayout layout, std::uint64_t count,
                                   const std::uint32_t* values, std::uint64_t* keys) {
  const std::uint64_t i = thread_index();
  if (i < count) keys[i] = key_of(text, layout, slots.position(values[i]));
}

/// The listed suffixes: one per open unit with its key, and those of blocked units, which are sorted already.
struct Listed {
  std::optional<SortablePairs<std::uint32_t>> open, single;
  std::uint64_t open_count = 0, single_count = 0;
};

/// Stable sorts by length and by key: equal keys by length, equal lengths in text order.
template <class Slots>
void sort_singles(const DeviceText& text, const Slots& slots, const KeyLayout& layout, Listed& listed,
                  const Stream& stream) {
  SortablePairs<std::uint32_t>& single = *listed.single;
  constexpr unsigned length_bits = 6;
  single.sort(listed.single_count, 0, length_bits, stream);
  launch("single_keys_kernel", single_keys_kernel<Slots>, listed.single_count, stream, text.view(), slots, layout,
         listed.single_count, single.values.data(), single.keys.data());
  single.sort(listed.single_count, 0, 64, stream);
  single.drop_spare();
}

template <class Slots>
Listed list_suffixes(const DeviceText& text, const Slots& slots, const KeyLayout& layout, const Stream& stream) {
  const std::uint64_t units = (slots.count + layout.stride - 1) / layout.stride, words = units / 32 + 1;
  Buffer<std::uint32_t> blocked(words, stream), before(words + 1, stream);
  before.fill_zero();
  launch("block_units_kernel", block_units_kernel<Slots>, 32 * words, stream, text.view(), slots, layout.stride, units,
         blocked.data(), before.data());
  exclusive_sum(before, stream);
  const std::uint64_t blocked_count = before.value_at(words);

  Listed listed;
  listed.open_count = units - blocked_count;
  const bool last_is_blocked = blocked_count > 0 && units * layout.stride > slots.count;
  listed.single_count = blocked_count * layout.stride - (last_is_blocked ? units * layout.stride - slots.count : 0);
  listed.open.emplace(listed.open_count, stream);
  listed.single.emplace(listed.single_count, stream);
  launch("list_units_kernel", list_units_kernel<Slots>, units, stream, text.view(), slots, layout,
         Units{blocked.data(), before.data(), units}, listed.open->keys.data(), listed.open->values.data(),
         listed.single->keys.data(), listed.single->values.data());
  sort_singles(text, slots, layout, listed, stream);
  return listed;
}

/// The suffixes that begin `lead` symbols before the sorted ones, in order.
SuffixList induced_list(const SortablePairs<std::uint32_t>& sorted, KeyedSuffixes& induced, unsigned lead,
                        const KeyLayout& layout, const Stream& stream) {
  const std::uint64_t count = sorted.keys.size();
  SuffixList list = {sorted.keys.data(),     sorted.values.data(), count,         lead,
                     layout.lead_bits(lead), layout.mask(),        layout.tie_bit};
  if (lead == 0 || count == 0) return list;
  induced = {};
  induced = KeyedSuffixes(count, stream);
  with_temporary_storage("inducing suffixes", stream, [&](void* storage, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(storage, bytes, sorted.keys.data(), induced.keys.data(),
                                           sorted.values.data(), induced.positions.data(), count, 0,
                                           static_cast<int>(list.lead_bits), stream.handle());
  });
  list.keys = induced.keys.data(), list.positions = induced.positions.data();
  return list;
}

/// Merges all lists, in an order that keeps peak memory low.
KeyOrder merge_all(Listed& listed, const KeyLayout& layout, std::uint64_t count, const Stream& stream) {
  const SuffixList single = {listed.single->keys.data(), listed.single->values.data(), listed.single_count};
  const auto finish = [&](const SuffixList& first, const SuffixList& second) {
    KeyOrder order = {Buffer<std::uint32_t>(count, stream), sort::cuda::Groups(count, stream), layout.symbols};
    merge_into(first, second, layout.tie_bit, order.suffixes.data(), order.groups.heads(),
               order.groups.head_threads() / 32, stream);
    return order;
  };
  KeyedSuffixes induced;
  const auto list = [&](unsigned lead) { return induced_list(*listed.open, induced, lead, layout, stream); };
  if (layout.stride == 1) return finish(single, list(0));

  KeyedSuffixes low = merge(single, list(3), stream);
  low = merge(low.list(), list(2), stream);
  const SuffixList one_before = list(1);
  const KeyedSuffixes high = merge(list(0), one_before, stream);
  listed.open.reset(), induced = {};
  return finish(low.list(), high.list());
}

/// DeviceText's bitmap determines the layout: bytes end in a unique symbol, which no comparison crosses.
KeyLayout make_layout(const DeviceText& text, unsigned genome_stride) {
  KeyLayout layout;
  layout.symbol_bits = text.symbol_bits();
  layout.tie_bit = text.is_genome() ? 1 : 0;
  layout.stride = text.is_genome() ? genome_stride : 1;
  const unsigned bits = text.is_genome() ? 63 : 64, lead_bits = layout.lead_bits(layout.stride - 1);
  layout.symbols = std::min(std::min(bits, 64 - lead_bits) / layout.symbol_bits, near - (layout.stride - 1));
  return layout;
}

}  // namespace

KeyLayout layout_for_all(const DeviceText& text) {
  constexpr unsigned stride = 4;  // 2 sorts more by radix, 8 merges more often: both are slower
  return make_layout(text, stride);
}

KeyLayout layout_for_some(const DeviceText& text) {
  return make_layout(text, 1);
}

template <class Slots>
KeyOrder order_by_keys(const DeviceText& text, const Slots& slots, const KeyLayout& layout, const Stream& stream,
                       const StageDone& done) {
  Listed listed = list_suffixes(text, slots, layout, stream);
  say(done, "keys");
  listed.open->sort(listed.open_count, layout.lead_bits(layout.stride - 1), 64, stream);
  listed.open->drop_spare();
  say(done, "radix sort");
  KeyOrder order = merge_all(listed, layout, slots.count, stream);
  say(done, "merge");
  order.groups.sum_up(stream);
  say(done, "groups");
  return order;
}

template KeyOrder order_by_keys(const DeviceText&, const AllSlots&, const KeyLayout&, const Stream&, const StageDone&);
template KeyOrder order_by_keys(const DeviceText&, const CoverSlots&, const KeyLayout&, const Stream&,
                                const StageDone&);

std::uint64_t key_order_bytes(std::uint64_t count, std::uint64_t segments, const KeyLayout& layout) {
  const std::uint64_t singles = std::min(count, segments * (near + layout.stride));
  return (layout.stride == 1 ? 25 : 18) * count + 24 * singles;
}

}  // namespace warpseed::suffix::cuda
