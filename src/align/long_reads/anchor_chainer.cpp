#include "align/long_reads/anchor_chainer.hpp"

#include <algorithm>

#include "align/long_reads/anchor_chain_core.hpp"

namespace warpseed::align {

void AnchorChainer::fill(const std::vector<Anchor>& anchors) {
  const auto count = static_cast<std::uint32_t>(anchors.size());
  scores_.resize(count), highest_.resize(count), previous_.resize(count);
  seen_.assign(count, no_anchor);
  for (std::uint32_t i = 0; i < count; ++i) {
    const Anchor& anchor = anchors[i];
    std::int32_t best = static_cast<std::int32_t>(anchor.length);
    std::uint32_t from = no_anchor, skipped = 0;
    for (std::uint32_t j = i; j-- > 0 && i - j <= max_lookback;) {
      if (anchors[j].reverse != anchor.reverse) break;
      if (highest_[j] + static_cast<std::int32_t>(anchor.length) <= best) break;  // none before can be better
      if (is_too_far(anchors[j], anchor)) break;
      const std::int32_t added = chain_gain(anchors[j], anchor);
      if (added == impossible_gain) continue;
      if (scores_[j] + added > best) {
        best = scores_[j] + added, from = j;
        if (skipped > 0) --skipped;
      } else if (seen_[j] == i && ++skipped > max_skipped) {
        break;
      }
      if (previous_[j] != no_anchor) seen_[previous_[j]] = i;
    }
    scores_[i] = best, previous_[i] = from;
    const bool first = i == 0 || anchors[i - 1].reverse != anchor.reverse;
    highest_[i] = first ? best : std::max(best, highest_[i - 1]);
  }
}

void AnchorChainer::collect(std::vector<Anchor>& anchors, std::vector<AnchorChain>& chains) {
  const auto count = static_cast<std::uint32_t>(anchors.size());
  order_.clear();
  for (std::uint32_t i = 0; i < count; ++i) {
    if (scores_[i] >= min_chain_score) order_.push_back(i);
  }
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return scores_[a] > scores_[b]; });
  seen_.assign(count, 0);  // 1: in a chain
  chained_.clear();
  for (const std::uint32_t last : order_) {
    if (seen_[last] != 0) continue;
    const auto first = static_cast<std::uint32_t>(chained_.size());
    std::uint32_t i = last;
    for (; i != no_anchor && seen_[i] == 0; i = previous_[i]) {
      seen_[i] = 1;
      chained_.push_back(anchors[i]);
    }
    const std::int32_t score = scores_[last] - (i == no_anchor ? 0 : scores_[i]);
    if (score < min_chain_score) {
      chained_.resize(first);
      continue;
    }
    std::reverse(chained_.begin() + first, chained_.end());
    chains.push_back({first, static_cast<std::uint32_t>(chained_.size()) - first, score});
  }
  anchors.swap(chained_);
  sort_chains(chains);
}

void AnchorChainer::sort_chains(std::vector<AnchorChain>& chains) {
  std::stable_sort(chains.begin(), chains.end(),
                   [](const AnchorChain& a, const AnchorChain& b) { return a.score > b.score; });
}

void AnchorChainer::chain(std::vector<Anchor>& anchors, std::vector<AnchorChain>& chains) {
  chains.clear();
  fill(anchors);
  collect(anchors, chains);
}

}  // namespace warpseed::align
