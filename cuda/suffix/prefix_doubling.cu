#include "suffix/prefix_doubling.cuh"

#include <algorithm>

#include "suffix/inverse.cuh"
#include "suffix/order_by_keys.cuh"
#include "suffix/refine.cuh"

namespace warpseed::suffix::cuda {

std::uint64_t sorting_bytes(const DeviceText& text, std::uint64_t segments, unsigned team_size) {
  constexpr std::uint64_t histograms = std::uint64_t{64} << 20;  // and other data that does not grow with the text
  const std::uint64_t inverse_bytes = (team_size == 1 ? 21 : 25) * team_share(text.size(), team_size);
  return std::max(key_order_bytes(text.size(), segments, layout_for_all(text), team_size), inverse_bytes) + histograms;
}

SortedPart sort_suffixes(const DeviceText& text, std::uint64_t memory_bytes, const TeamMember& member,
                         const StageDone& done) {
  if (text.size() == 0) return {};
  KeyOrder order = order_by_keys(text, AllSlots{text.size()}, layout_for_all(text), member, done);
  if (any_tied(order.groups, member)) {
    Ranks ranks = inverse(order.suffixes, order.groups.view(), order.rows, member);
    say(done, "inverse");
    refine(order.suffixes, ranks, std::move(order.groups), order.rows, order.depth, memory_bytes, member, done);
  }
  return {std::move(order.suffixes), order.rows};
}

}  // namespace warpseed::suffix::cuda
