#include "align/long_reads/chain_selection.hpp"

#include <algorithm>

#include "align/chain/chain_core.hpp"

namespace warpseed::align {

namespace {

constexpr std::uint32_t long_gap = 500;         // read bases without an anchor that a chain does not claim
constexpr std::int32_t secondary_percent = 80;  // of the better chain's score

/// Bases [begin, end) of a read as sequenced.
struct Stretch {
  std::uint32_t begin = 0, end = 0;
};

Stretch stretch_of(const Anchor& anchor, std::uint32_t read_length) {
  const std::uint32_t begin = read_begin(anchor.reverse, anchor.query_begin, anchor.query_end(), read_length);
  return {begin, begin + anchor.length};
}

/// What a chain claims of the read, ascending.
std::vector<Stretch> claimed(std::span<const Anchor> chain, std::uint32_t read_length) {
  std::vector<Stretch> stretches;
  const auto add = [&](const Anchor& anchor) {
    const Stretch mine = stretch_of(anchor, read_length);
    if (!stretches.empty() && mine.begin <= stretches.back().end + long_gap) {
      stretches.back().end = std::max(stretches.back().end, mine.end);
    } else {
      stretches.push_back(mine);
    }
  };
  if (chain.front().reverse) {
    std::for_each(chain.rbegin(), chain.rend(), add);
  } else {
    std::for_each(chain.begin(), chain.end(), add);
  }
  return stretches;
}

/// Are at least half of the bases under a chain's anchors in the stretches?
bool is_shared(std::span<const Anchor> chain, const std::vector<Stretch>& stretches, std::uint32_t read_length) {
  std::uint64_t shared = 0, all = 0;
  for (const Anchor& anchor : chain) {
    const Stretch mine = stretch_of(anchor, read_length);
    all += anchor.length;
    auto at = std::partition_point(stretches.begin(), stretches.end(),
                                   [&](const Stretch& one) { return one.end <= mine.begin; });
    for (; at != stretches.end() && at->begin < mine.end; ++at) {
      shared += std::min(at->end, mine.end) - std::max(at->begin, mine.begin);
    }
  }
  return 2 * shared >= all;
}

}  // namespace

std::vector<SelectedChain> select_chains(std::span<const AnchorChain> chains, std::span<const Anchor> anchors,
                                         std::uint32_t read_length, std::uint32_t most_secondary) {
  std::vector<SelectedChain> selected;
  std::vector<std::vector<Stretch>> claims;  // of the primary ones
  std::vector<std::size_t> primary;          // their indices in `selected`
  std::uint32_t secondary = 0;
  for (const AnchorChain& chain : chains) {
    const auto mine = anchors.subspan(chain.first, chain.count);
    const auto better = std::find_if(claims.begin(), claims.end(), [&](const std::vector<Stretch>& stretches) {
      return is_shared(mine, stretches, read_length);
    });
    if (better == claims.end()) {
      primary.push_back(selected.size());
      selected.push_back({chain, 0});
      claims.push_back(claimed(mine, read_length));
      continue;
    }
    SelectedChain& winner = selected[primary[static_cast<std::size_t>(better - claims.begin())]];
    winner.second_score = std::max(winner.second_score, chain.score);
    if (chain.score * 100LL < winner.chain.score * std::int64_t{secondary_percent} || secondary == most_secondary)
      continue;
    ++secondary;
    selected.push_back({chain, winner.chain.score});
  }
  return selected;
}

}  // namespace warpseed::align
