#include "align/long_reads/chain_selection.hpp"

#include <algorithm>

#include "align/chain/chain_core.hpp"

namespace warpseed::align {

namespace {

constexpr std::int64_t secondary_percent = 60;  // of the better chain's score
constexpr std::uint32_t most_secondary = 10;    // of a read

}  // namespace

/// The bases under a chain's anchors that are claimed.
std::uint64_t ChainSelection::bases_in(const Claim& claim, std::span<const Anchor> anchors) const {
  std::uint64_t shared = 0;
  for (const Anchor& anchor : anchors) {
    const std::uint32_t begin = read_begin(anchor.reverse, anchor.query_begin, anchor.query_end(), read_length_);
    const std::uint32_t from = std::max(begin, claim.begin), to = std::min(begin + anchor.length, claim.end);
    shared += to > from ? to - from : 0;
  }
  return shared;
}

bool ChainSelection::takes(const AnchorChain& chain, std::span<const Anchor> anchors) {
  std::uint64_t all = 0, shared = 0;
  std::int64_t better = 0;
  for (const Anchor& anchor : anchors) all += anchor.length;
  for (const Claim& claim : claims_) {
    const std::uint64_t mine = bases_in(claim, anchors);
    shared += mine;
    if (mine > 0) better = std::max<std::int64_t>(better, claim.chain_score);
  }
  is_secondary_ = 2 * shared >= all;
  if (!is_secondary_) return parts_++ < most_parts(read_length_);
  const bool near = chain.score * std::int64_t{100} >= better * secondary_percent;
  return (near || secondary_ < least_secondary_) && secondary_++ < most_secondary;
}

void ChainSelection::claim(const AnchorChain& chain, std::span<const LongAlignment> alignments) {
  if (is_secondary_) return;
  for (const LongAlignment& one : alignments) {
    const std::uint32_t begin = read_begin(one.reverse, one.query_begin, one.query_end, read_length_);
    claims_.push_back({begin, begin + one.query_end - one.query_begin, chain.score});
  }
}

}  // namespace warpseed::align
