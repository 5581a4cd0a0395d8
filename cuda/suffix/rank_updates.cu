#include "suffix/rank_updates.cuh"

#include <algorithm>
#include <bit>
#include <vector>

#include "core/launch.cuh"
#include "core/primitives.cuh"
#include "suffix/bucket_bounds.cuh"

namespace warpseed::suffix::cuda {

namespace {

constexpr unsigned radix_bits = 8;  // one pass of CUB's radix sort

/// The slots whose ranks a member has.
struct Slice {
  std::uint32_t* ranks;
  std::uint64_t begin, end;
};

__global__ void write_ranks_kernel(View<std::uint32_t> slots, const std::uint32_t* ranks, Slice slice) {
  const std::uint64_t i = thread_index();
  if (i >= slots.size) return;
  const std::uint32_t slot = slots[i];
  if (slot >= slice.begin && slot < slice.end) slice.ranks[slot - slice.begin] = ranks[i];
}

void write(View<std::uint32_t> slots, const std::uint32_t* ranks, const Slice& slice, const Stream& stream) {
  launch("write_ranks_kernel", write_ranks_kernel, slots.size, stream, slots, ranks, slice);
}

/// The same updates by the high bits of their slots.
RankUpdates partition(const RankUpdates& updates, unsigned begin_bit, unsigned end_bit, const Stream& stream) {
  RankUpdates sorted(updates.count, stream);
  sorted.count = updates.count;
  if (updates.count == 0) return sorted;
  with_temporary_storage("partitioning ranks", stream, [&](void* storage, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(storage, bytes, updates.slots.data(), sorted.slots.data(),
                                           updates.ranks.data(), sorted.ranks.data(), updates.count,
                                           static_cast<int>(begin_bit), static_cast<int>(end_bit), stream.handle());
  });
  return sorted;
}

/// What a member has for the others, and where the updates of each bucket begin; at the end their number.
struct Offer {
  const std::uint32_t *slots, *ranks;
  std::vector<std::uint64_t> bucket_begins;
};

/// The updates of the other members that may belong in a slice. Copies in the background.
class OthersUpdates {
 public:
  OthersUpdates(const std::vector<Offer>& offers, const Slice& slice, unsigned begin_bit, const TeamMember& member)
      : stream_(member.stream()), queue_(member.stream().device()) {
    if (slice.begin == slice.end) return;
    // The first and the last bucket of a slice may have slots of other slices, too.
    const std::uint64_t first = slice.begin >> begin_bit, last = (slice.end - 1) >> begin_bit;
    for (unsigned from = 0; from < offers.size(); ++from) {
      if (from == member.number()) continue;
      const Offer& offer = offers[from];
      const std::uint64_t begin = offer.bucket_begins[first], count = offer.bucket_begins[last + 1] - begin;
      RankUpdates& copy = copies_.emplace_back(count, stream_);
      QueueMark(stream_.handle()).hold(queue_.handle());  // until the memory is there
      copy_values(copy.slots.data(), offer.slots + begin, count, queue_.handle());
      copy_values(copy.ranks.data(), offer.ranks + begin, count, queue_.handle());
    }
  }

  void write_to(const Slice& slice) const {
    QueueMark(queue_.handle()).hold(stream_.handle());
    for (const RankUpdates& copy : copies_) write(copy.slots.view(), copy.ranks.data(), slice, stream_);
  }

 private:
  const Stream& stream_;
  const WorkQueue queue_;
  std::vector<RankUpdates> copies_;
};

}  // namespace

void write_ranks(RankUpdates updates, std::uint64_t slots, const Ranks& ranks, const TeamMember& member) {
  const Stream& stream = member.stream();
  const unsigned bits = std::max(static_cast<unsigned>(std::bit_width(slots - 1)), 1U);
  const unsigned begin_bit = bits > radix_bits ? bits - radix_bits : 0;
  const RankUpdates mine = partition(updates, begin_bit, bits, stream);
  updates = RankUpdates(0, stream);
  Slice slice = {ranks.view.slices[member.number()], 0, slots};
  const View<std::uint32_t> my_slots = {mine.slots.data(), mine.count};
  if (member.is_alone()) return write(my_slots, mine.ranks.data(), slice, stream);

  slice.begin = std::min(std::uint64_t{ranks.view.slice_size} * member.number(), slots);
  slice.end = std::min(slice.begin + ranks.view.slice_size, slots);
  constexpr std::uint64_t buckets = 1 << radix_bits;
  Offer offer = {mine.slots.data(), mine.ranks.data(), std::vector<std::uint64_t>(buckets + 1)};
  bucket_bounds(my_slots, begin_bit, 0, 1, buckets + 1, stream).read(offer.bucket_begins);
  const OthersUpdates others(member.share(offer), slice, begin_bit, member);
  write(my_slots, mine.ranks.data(), slice, stream);  // without those that are others'
  others.write_to(slice);
  member.meet();  // until then the others read `mine`
}

}  // namespace warpseed::suffix::cuda
