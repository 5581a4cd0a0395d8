#include "suffix/prefix_doubling.cuh"

#include <algorithm>

#include "suffix/inverse.cuh"
#include "suffix/order_by_keys.cuh"
#include "suffix/refine.cuh"

namespace warpseed::suffix::cuda {

std::uint64_t sorting_bytes(const DeviceText& text, std::uint64_t segments) {
  constexpr std::uint64_t histograms = std::uint64_t{64} << 20;  // and other data that does not grow with the text
  return std::max(key_order_bytes(text.size(), segments, layout_for_all(text)), 21 * text.size()) + histograms;
}

Buffer<std::uint32_t> sort_suffixes(const DeviceText& text, std::uint64_t memory_bytes, const Stream& stream,
                                    const StageDone& done) {
  if (text.size() == 0) return {};
  KeyOrder order = order_by_keys(text, AllSlots{text.size()}, layout_for_all(text), stream, done);
  if (order.groups.tied_count() == 0) return std::move(order.suffixes);
  Buffer<std::uint32_t> ranks = inverse(order.suffixes, order.groups.view(), stream);
  say(done, "inverse");
  refine(order.suffixes, ranks, std::move(order.groups), order.depth, memory_bytes, stream, done);
  return std::move(order.suffixes);
}

}  // namespace warpseed::suffix::cuda
