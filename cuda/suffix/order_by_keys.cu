#include "suffix/order_by_keys.cuh"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

#include "core/lanes.cuh"
#include "core/launch.cuh"
#include "suffix/key_ranges.cuh"
#include "suffix/merge_path.cuh"
#include "suffix/trade_lists.cuh"

namespace warpseed::suffix::cuda {

namespace {

/// A unit is `stride` neighbouring suffixes. It is blocked if a separator is so near that a key of one of its suffixes
/// would include it: such suffixes are listed individually.
constexpr unsigned near = 32;  // symbols: covered by one read of the bitmap

/// The last suffix of an open unit.
struct OpenSuffix {
  std::uint64_t key, symbols_before;
};

/// What a thread lists of a unit: of the suffixes in the member's range, the last one of an open unit, or all of a
/// blocked unit.
struct Listing {
  bool open = false;
  OpenSuffix suffix = {};
  unsigned singles = 0;  // bit i: the i-th suffix of a blocked unit is listed
};

template <class Slots>
struct UnitReader {
  DeviceTextView text;
  Slots slots;
  KeyLayout layout;
  KeyRange range;

  __host__ __device__ std::uint64_t units() const { return (slots.count + layout.stride - 1) / layout.stride; }
  __device__ std::uint64_t first_slot(std::uint64_t unit) const { return unit * layout.stride; }
  __device__ std::uint64_t last_slot(std::uint64_t unit) const { return first_slot(unit) + layout.stride - 1; }

  /// One window has the symbols before the last suffix of an open unit, and those of its key.
  __device__ OpenSuffix open_suffix(std::uint64_t unit) const {
    const std::uint64_t symbols = text.window(slots.position(first_slot(unit)));
    const unsigned lead_bits = layout.lead_bits(layout.stride - 1);
    return {symbols << lead_bits & layout.mask(), lead_bits == 0 ? 0 : symbols >> (64 - lead_bits)};
  }

  /// The suffix is read unless it is not wanted and all are listed.
  __device__ Listing listing(std::uint64_t unit, bool with_suffix) const {
    if (unit >= units()) return {};
    if (text.separators_from(slots.position(first_slot(unit))) != 0) return {false, {}, listed_singles(unit)};
    if (range.is_all() && !with_suffix) return {true, {}, 0};
    const OpenSuffix suffix = open_suffix(unit);
    return {range.is_all() || range.has(suffix.key), suffix, 0};
  }

 private:
  __device__ unsigned listed_singles(std::uint64_t unit) const {
    unsigned listed = 0;
    for (unsigned i = 0; i < layout.stride && first_slot(unit) + i < slots.count; ++i) {
      const std::uint64_t key = key_of(text, layout, slots.position(first_slot(unit) + i));
      if (range.has(key & layout.mask())) listed |= 1U << i;
    }
    return listed;
  }
};

/// One warp per word of 32 units: how many it lists.
template <class Slots>
__global__ void count_units_kernel(UnitReader<Slots> reader, std::uint64_t words, std::uint32_t* open,
                                   std::uint32_t* single) {
  const std::uint64_t unit = thread_index(), word = unit / 32;
  if (word >= words) return;
  const Listing listing = reader.listing(unit, false);
  const std::uint32_t open_bits = __ballot_sync(all_lanes, listing.open);
  const std::uint32_t singles = __reduce_add_sync(all_lanes, static_cast<std::uint32_t>(__popc(listing.singles)));
  if (unit % 32 == 0) open[word] = static_cast<std::uint32_t>(__popc(open_bits)), single[word] = singles;
}

/// Output for listed suffixes.
struct ListArrays {
  std::uint64_t* keys;  // of open units
  std::uint32_t* values;
  std::uint64_t* lengths;  // of single suffixes, which are sorted by them first
  std::uint32_t* single_values;
};

/// One warp per word of 32 units. before: listed in earlier words.
template <class Slots>
__global__ void list_units_kernel(UnitReader<Slots> reader, std::uint64_t words, const std::uint32_t* open_before,
                                  const std::uint32_t* single_before, ListArrays out) {
  const std::uint64_t unit = thread_index(), word = unit / 32;
  if (word >= words) return;
  const Listing listing = reader.listing(unit, true);
  const std::uint32_t earlier = __ballot_sync(all_lanes, listing.open) & lower_lane_mask();
  if (listing.open) {
    const std::uint64_t at = std::uint64_t{open_before[word]} + static_cast<unsigned>(__popc(earlier));
    out.keys[at] = listing.suffix.key | listing.suffix.symbols_before;
    out.values[at] = static_cast<std::uint32_t>(reader.last_slot(unit));
  }
  const unsigned singles = listing.singles;
  if (!__any_sync(all_lanes, singles != 0)) return;
  std::uint64_t at = single_before[word];
  for (unsigned i = 0; i < reader.layout.stride; ++i) {
    at += static_cast<unsigned>(__popc(__ballot_sync(all_lanes, singles >> i & 1) & lower_lane_mask()));
  }
  for (unsigned i = 0; i < reader.layout.stride; ++i) {
    if ((singles >> i & 1) == 0) continue;
    const std::uint64_t slot = reader.first_slot(unit) + i;
    out.lengths[at] = symbols_before_separator(reader.text, reader.slots.position(slot), reader.layout.symbols);
    out.single_values[at++] = static_cast<std::uint32_t>(slot);
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

/// The suffixes of a key range.
template <class Slots>
Listed list_suffixes(const DeviceText& text, const Slots& slots, const KeyLayout& layout, const KeyRange& range,
                     const Stream& stream) {
  const UnitReader<Slots> reader = {text.view(), slots, layout, range};
  const std::uint64_t words = reader.units() / 32 + 1;
  Buffer<std::uint32_t> open(words + 1, stream), single(words + 1, stream);
  open.fill_zero(), single.fill_zero();
  launch("count_units_kernel", count_units_kernel<Slots>, 32 * words, stream, reader, words, open.data(),
         single.data());
  exclusive_sum(open, stream);
  exclusive_sum(single, stream);

  Listed listed;
  listed.open_count = open.value_at(words);
  listed.single_count = single.value_at(words);
  listed.open.emplace(listed.open_count, stream);
  listed.single.emplace(listed.single_count, stream);
  launch("list_units_kernel", list_units_kernel<Slots>, 32 * words, stream, reader, words, open.data(), single.data(),
         ListArrays{listed.open->keys.data(), listed.open->values.data(), listed.single->keys.data(),
                    listed.single->values.data()});
  sort_singles(text, slots, layout, listed, stream);
  return listed;
}

/// The sorted suffixes of all members as the list of those that begin earlier.
struct Inducer {
  const SortablePairs<std::uint32_t>& sorted;
  const KeyLayout& layout;
  const Stream& stream;

  SuffixList list(const std::uint64_t* keys, const std::uint32_t* positions, std::uint64_t count, unsigned lead) const {
    return {{keys, positions, lead, layout.lead_bits(lead), layout.mask(), layout.tie_bit}, count};
  }
  SuffixList list(const KeyedSuffixes& suffixes, unsigned lead) const {
    return list(suffixes.keys.data(), suffixes.positions.data(), suffixes.keys.size(), lead);
  }
  SuffixList sorted_list() const { return list(sorted.keys.data(), sorted.values.data(), sorted.keys.size(), 0); }

  /// The sorted suffixes in the order of those that begin `lead` symbols before them.
  KeyedSuffixes induce(unsigned lead) const {
    const std::uint64_t count = sorted.keys.size();
    KeyedSuffixes induced(count, stream);
    if (count == 0) return induced;
    with_temporary_storage("inducing suffixes", stream, [&](void* storage, std::size_t& bytes) {
      return cub::DeviceRadixSort::SortPairs(storage, bytes, sorted.keys.data(), induced.keys.data(),
                                             sorted.values.data(), induced.positions.data(), count, 0,
                                             static_cast<int>(layout.lead_bits(lead)), stream.handle());
    });
    return induced;
  }
};

/// The suffixes in this member's range that begin one, two and three symbols before the sorted ones of all members. In a
/// team the lists are traded: one is copied while the next is made.
class InducedLists {
 public:
  InducedLists(const Inducer& inducer, const KeyRanges& ranges, const TeamMember& member)
      : inducer_(inducer), member_(member) {
    if (member.is_alone()) return;
    queues_.emplace(member.stream().device());
    for (const unsigned lead : {3U, 2U, 1U}) {
      KeyedSuffixes induced = inducer.induce(lead);
      const SuffixList list = inducer.list(induced, lead);
      trades_.emplace_back(list, std::move(induced), ranges, member, *queues_);
    }
  }

  /// Call with 3, 2 and 1. The list stays as long as this object.
  SuffixList take(unsigned lead) {
    by_lead_[lead] = member_.is_alone() ? inducer_.induce(lead) : trades_[3 - lead].finish(member_);
    return inducer_.list(by_lead_[lead], lead);
  }

 private:
  const Inducer& inducer_;
  const TeamMember& member_;
  std::optional<CopyQueues> queues_;
  std::vector<Trade> trades_;
  std::array<KeyedSuffixes, 4> by_lead_;
};

/// Merges two lists to the order of all.
template <class First, class Second>
KeyOrder merge_to_order(const First& first, const Second& second, const KeyLayout& layout, const Stream& stream) {
  const std::uint64_t count = first.size + second.size;
  KeyOrder order = {Buffer<std::uint32_t>(count, stream), sort::cuda::Groups(count, stream), {}, layout.symbols};
  merge_into(first, second, layout.tie_bit, order.suffixes.data(), order.groups.heads(),
             order.groups.head_threads() / 32, stream);
  return order;
}

/// The order of all suffixes of the member's range.
KeyOrder merge_all(const Listed& listed, const KeyLayout& layout, const KeyRanges& ranges, const TeamMember& member) {
  const Stream& stream = member.stream();
  const SuffixList single({listed.single->keys.data(), listed.single->values.data()}, listed.single_count);
  const Inducer inducer = {*listed.open, layout, stream};
  if (layout.stride == 1) return merge_to_order(single, inducer.sorted_list(), layout, stream);

  InducedLists lists(inducer, ranges, member);
  const MergeOrder<SuffixList, SuffixList> with_single(single, lists.take(3), stream);
  const MergeOrder<TwoLists, SuffixList> low(with_single.list(), lists.take(2), stream);
  const MergeOrder<SuffixList, SuffixList> high(inducer.sorted_list(), lists.take(1), stream);
  return merge_to_order(low.list(), high.list(), layout, stream);
}

/// Where a member's rows are among those of all.
TeamRows find_rows(std::uint64_t count, const TeamMember& member) {
  const std::vector<std::uint64_t> counts = member.share(count);
  return {std::accumulate(counts.begin(), counts.begin() + member.number(), std::uint64_t{0}),
          std::accumulate(counts.begin(), counts.end(), std::uint64_t{0})};
}

/// DeviceText's bitmap determines the layout: bytes end in a unique symbol, which no comparison crosses.
KeyLayout make_layout(const DeviceText& text, unsigned genome_stride) {
  KeyLayout layout;
  layout.symbol_bits = text.symbol_bits();
  layout.tie_bit = text.is_genome() ? 1 : 0;
  layout.stride = text.is_genome() ? genome_stride : 1;
  const unsigned bits = text.is_genome() ? 63 : 64, lead_bits = layout.lead_bits(layout.stride - 1);
  layout.symbols = std::min(std::min(bits, 64 - lead_bits) / layout.symbol_bits, near - (layout.stride - 1));
  constexpr unsigned digit_bits = 8;  // of a pass of CUB's radix sort; a digit that is not full is not worth a pass
  if (layout.stride > 1) {
    layout.symbols = layout.symbols * layout.symbol_bits / digit_bits * digit_bits / layout.symbol_bits;
  }
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
KeyOrder order_by_keys(const DeviceText& text, const Slots& slots, const KeyLayout& layout, const TeamMember& member,
                       const StageDone& done) {
  const Stream& stream = member.stream();
  const KeyRanges ranges(text, slots, layout, member);
  Listed listed = list_suffixes(text, slots, layout, ranges.of(member.number()), stream);
  say(done, "keys");
  listed.open->sort(listed.open_count, 64 - layout.symbols * layout.symbol_bits, 64, stream);
  listed.open->drop_spare();
  say(done, "radix sort");
  KeyOrder order = merge_all(listed, layout, ranges, member);
  order.rows = find_rows(order.suffixes.size(), member);
  say(done, "merge");
  order.groups.sum_up(stream);
  say(done, "groups");
  return order;
}

template KeyOrder order_by_keys(const DeviceText&, const AllSlots&, const KeyLayout&, const TeamMember&,
                                const StageDone&);
template KeyOrder order_by_keys(const DeviceText&, const CoverSlots&, const KeyLayout&, const TeamMember&,
                                const StageDone&);

std::uint64_t team_share(std::uint64_t count, unsigned team_size) {
  return team_size == 1 ? count : count / team_size + count / 64 + 1;  // ranges are chosen by a sample
}

std::uint64_t key_order_bytes(std::uint64_t count, std::uint64_t segments, const KeyLayout& layout,
                              unsigned team_size) {
  const std::uint64_t singles = std::min(count, segments * (near + layout.stride));
  const std::uint64_t of_one = layout.stride == 1 ? 25 : 18, traded = team_size > 1 && layout.stride > 1 ? 4 : 0;
  return (of_one + traded) * team_share(count, team_size) + 24 * singles;
}

}  // namespace warpseed::suffix::cuda
