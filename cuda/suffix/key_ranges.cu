#include "suffix/key_ranges.cuh"

#include <algorithm>

#include "core/launch.cuh"

namespace warpseed::suffix::cuda {

namespace {

constexpr std::uint64_t samples_each = 1 << 12;  // per member: its share is right to about half a percent

/// A slot that does not repeat with any period of the text.
__device__ std::uint64_t sampled_slot(std::uint64_t i, std::uint64_t slots) {
  std::uint64_t mixed = (i + 1) * 0x9E3779B97F4A7C15U;
  mixed = (mixed ^ mixed >> 32) * 0xD6E8FEB86659FD93U;
  return (mixed ^ mixed >> 32) % slots;
}

template <class Slots>
__global__ void sample_keys_kernel(DeviceTextView text, Slots slots, KeyLayout layout, std::uint64_t samples,
                                   std::uint64_t* keys) {
  const std::uint64_t i = thread_index();
  if (i < samples) keys[i] = key_of(text, layout, slots.position(sampled_slot(i, slots.count))) & layout.mask();
}

}  // namespace

template <class Slots>
KeyRanges::KeyRanges(const DeviceText& text, const Slots& slots, const KeyLayout& layout, const TeamMember& member)
    : begins_(1, 0) {
  if (member.is_alone()) return;
  std::vector<std::uint64_t> keys(samples_each * member.team_size());
  Buffer<std::uint64_t> sampled(keys.size(), member.stream());
  launch("sample_keys_kernel", sample_keys_kernel<Slots>, sampled.size(), member.stream(), text.view(), slots, layout,
         sampled.size(), sampled.data());
  sampled.read(keys);
  for (unsigned i = 1; i < member.team_size(); ++i) {
    const auto quantile = keys.begin() + static_cast<std::ptrdiff_t>(i * samples_each);
    std::nth_element(keys.begin(), quantile, keys.end());
    begins_.push_back(*quantile);
  }
  std::ptrdiff_t largest = 0;
  for (unsigned i = 0; i < member.team_size(); ++i) {
    largest = std::max(largest,
                       std::count_if(keys.begin(), keys.end(), [range = of(i)](auto key) { return range.has(key); }));
  }
  largest_share_ = static_cast<double>(largest) / static_cast<double>(keys.size());
}

KeyRange KeyRanges::of(unsigned member) const {
  KeyRange range;
  range.first = begins_[member];
  if (member + 1 < begins_.size()) {
    range.is_empty = begins_[member + 1] == range.first;
    range.last = begins_[member + 1] - 1;
  }
  return range;
}

template KeyRanges::KeyRanges(const DeviceText&, const AllSlots&, const KeyLayout&, const TeamMember&);
template KeyRanges::KeyRanges(const DeviceText&, const CoverSlots&, const KeyLayout&, const TeamMember&);

}  // namespace warpseed::suffix::cuda
