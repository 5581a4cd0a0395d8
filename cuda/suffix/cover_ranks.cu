#include "suffix/cover_ranks.cuh"

#include "suffix/inverse.cuh"
#include "suffix/order_by_keys.cuh"
#include "suffix/refine.cuh"

namespace warpseed::suffix::cuda {

namespace {

DifferenceCover cover_for(const DeviceText& text) {
  return difference_cover(layout_for_some(text).symbols);
}

}  // namespace

CoverRanks::CoverRanks(const DeviceText& text, std::uint64_t memory_bytes, const TeamMember& member,
                       const StageDone& done) {
  const DifferenceCover cover = cover_for(text);
  cover_ = Buffer<DifferenceCover>(std::span(&cover, 1), member.stream());
  member.stream().wait();  // `cover` is on the stack
  const CoverSlots slots = {cover.slots(text.size()), cover};
  KeyOrder order = order_by_keys(text, slots, layout_for_some(text), member, done);
  ranks_ = inverse(order.suffixes, order.groups.view(), order.rows, member);
  say(done, "inverse");
  // A key spans at least one period, and slots a period apart are cover.size apart.
  const std::uint64_t step = std::uint64_t{order.depth} / cover.period * cover.size;
  refine(order.suffixes, ranks_, std::move(order.groups), order.rows, step, memory_bytes, member, done);
}

std::uint64_t cover_slots(const DeviceText& text) {
  return cover_for(text).slots(text.size());
}

std::uint64_t cover_sorting_bytes(const DeviceText& text, std::uint64_t segments, unsigned team_size) {
  return key_order_bytes(cover_slots(text), segments, layout_for_some(text), team_size);
}

std::uint64_t cover_rank_bytes(const DeviceText& text, unsigned team_size) {
  return sizeof(std::uint32_t) * team_share(cover_slots(text), team_size);
}

}  // namespace warpseed::suffix::cuda
