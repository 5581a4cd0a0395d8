#include "suffix/trade_lists.cuh"

#include <algorithm>
#include <vector>

#include "core/launch.cuh"

namespace warpseed::suffix::cuda {

namespace {

/// One thread per cut: the first suffix whose key is not smaller.
__global__ void find_cuts_kernel(SuffixList list, View<std::uint64_t> cuts, std::uint64_t* begins) {
  const std::uint64_t i = thread_index();
  if (i >= cuts.size) return;
  std::uint64_t begin = 0, end = list.size;
  while (begin < end) {
    const std::uint64_t middle = begin + (end - begin) / 2;
    if ((list.key(static_cast<std::uint32_t>(middle)) & list.mask) < cuts[i])
      begin = middle + 1;
    else
      end = middle;
  }
  begins[i] = begin;
}

/// The keys at which the lists are cut: where a range begins, or a value of the symbols by which they are induced.
std::vector<std::uint64_t> cuts_of(const SuffixList& list, const KeyRanges& ranges) {
  std::vector<std::uint64_t> cuts = ranges.begins();
  for (std::uint64_t value = 1; value < std::uint64_t{1} << list.lead_bits; ++value) {
    cuts.push_back(value << (64 - list.lead_bits));
  }
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  return cuts;
}

/// A member's list and where the suffixes of each cut begin, and at the end its size.
struct Offer {
  const std::uint64_t* keys;
  const std::uint32_t* positions;
  std::vector<std::uint64_t> begins;
};

Offer make_offer(const SuffixList& mine, const std::vector<std::uint64_t>& cuts, const Stream& stream) {
  const Buffer<std::uint64_t> keys(std::span<const std::uint64_t>(cuts), stream);
  Buffer<std::uint64_t> begins(cuts.size(), stream);
  launch("find_cuts_kernel", find_cuts_kernel, cuts.size(), stream, mine, keys.view(), begins.data());
  Offer offer = {mine.keys, mine.positions, std::vector<std::uint64_t>(cuts.size())};
  begins.read(offer.begins);
  offer.begins.push_back(mine.size);
  return offer;
}

/// A stretch of a member's list.
struct Stretch {
  const std::uint64_t* keys;
  const std::uint32_t* positions;
  std::uint64_t count;
  unsigned member;
};

}  // namespace

Trade::Trade(const SuffixList& mine, KeyedSuffixes memory, const KeyRanges& ranges, const TeamMember& member,
             const CopyQueues& queues)
    : mine_(std::move(memory)) {
  const Stream& stream = member.stream();
  const std::vector<std::uint64_t> cuts = cuts_of(mine, ranges);
  const std::vector<Offer> offers = member.share(make_offer(mine, cuts, stream));
  const KeyRange range = ranges.of(member.number());
  std::vector<Stretch> stretches;
  std::uint64_t count = 0;
  for (std::size_t cut = 0; cut < cuts.size(); ++cut) {
    if (!range.has(cuts[cut])) continue;
    for (unsigned from = 0; from < offers.size(); ++from) {
      const Offer& offer = offers[from];
      const std::uint64_t begin = offer.begins[cut], size = offer.begins[cut + 1] - begin;
      stretches.push_back({offer.keys + begin, offer.positions + begin, size, from});
      count += size;
    }
  }
  taken_ = KeyedSuffixes(count, stream);
  const QueueMark there(stream.handle());  // the memory
  there.hold(queues.own.handle());
  there.hold(queues.others.handle());
  std::uint64_t at = 0;
  for (const Stretch& stretch : stretches) {
    const WorkQueue& queue = stretch.member == member.number() ? queues.own : queues.others;
    copy_values(taken_.keys.data() + at, stretch.keys, stretch.count, queue.handle());
    copy_values(taken_.positions.data() + at, stretch.positions, stretch.count, queue.handle());
    at += stretch.count;
  }
  own_copied_ = QueueMark(queues.own.handle());
  others_copied_ = QueueMark(queues.others.handle());
}

KeyedSuffixes Trade::finish(const TeamMember& member) {
  own_copied_.wait();
  others_copied_.wait();
  member.meet_hosts();  // until then the others read `mine_`
  mine_ = {};
  return std::move(taken_);
}

}  // namespace warpseed::suffix::cuda
