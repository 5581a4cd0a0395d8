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

CoverRanks::CoverRanks(const DeviceText& text, std::uint64_t memory_bytes, const Stream& stream,
                       const StageDone& done) {
  const DifferenceCover cover = cover_for(text);
  cover_ = Buffer<DifferenceCover>(std::span(&cover, 1), stream);
  stream.wait();  // `cover` is on the stack
  const CoverSlots slots = {cover.slots(text.size()), cover};
  KeyOrder order = order_by_keys(text, slots, layout_for_some(text), stream, done);
  ranks_ = inverse(order.suffixes, order.groups.view(), stream);
  say(done, "inverse");
  // A key spans at least one period, and slots a period apart are cover.size apart.
  const std::uint64_t step = std::uint64_t{order.depth} / cover.period * cover.size;
  refine(order.suffixes, ranks_, std::move(order.groups), step, memory_bytes, stream, done);
}

std::uint64_t cover_slots(const DeviceText& text) {
  return cover_for(text).slots(text.size());
}

std::uint64_t cover_sorting_bytes(const DeviceText& text, std::uint64_t segments) {
  return key_order_bytes(cover_slots(text), segments, layout_for_some(text));
}

std::uint64_t cover_rank_bytes(const DeviceText& text) {
  return sizeof(std::uint32_t) * cover_slots(text);
}

}  // namespace warpseed::suffix::cuda
