#include "align/long_reads/anchor_chainer.hpp"

#include <algorithm>
#include <limits>

#include "core/bits.hpp"

namespace warpseed::align {

namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
constexpr std::int64_t max_distance = 20'000;  // between neighbours, in the read and in the genome
constexpr std::uint32_t max_lookback = 2'000;  // anchors before one that are tried as its predecessor
constexpr std::uint32_t max_skipped = 25;      // of these, ones in a chain that is known to be worse
constexpr std::int32_t min_chain_score = 40;
constexpr std::int32_t impossible = std::numeric_limits<std::int32_t>::min();

/// The cost of a change of diagonal by `apart` bases between anchors with `between` bases between them: 0.15 a base,
/// half the logarithm, and more for what scattered errors do not explain, so that two gaps that cancel each other are
/// not worth an anchor or two.
std::int32_t change_cost(std::int64_t apart, std::int64_t between) {
  if (apart == 0) return 0;
  constexpr std::int64_t most_sudden = 60;
  const std::int64_t sudden = std::clamp<std::int64_t>(apart - between / 8, 0, most_sudden);
  return static_cast<std::int32_t>(apart * 39 / 256 + sudden / 2) +
         static_cast<std::int32_t>(63 - leading_zeros(static_cast<std::uint64_t>(apart) + 1)) / 2;
}

/// What `anchor` adds to the score of a chain that ends with `last`; impossible if it cannot follow.
std::int32_t gain(const Anchor& last, const Anchor& anchor) {
  const auto in_read = static_cast<std::int64_t>(anchor.query_end()) - last.query_end();
  const auto in_genome = static_cast<std::int64_t>(anchor.genome_end() - last.genome_end());
  if (in_read <= 0 || in_genome <= 0 || in_read > max_distance + anchor.length) return impossible;
  if (anchor.query_begin <= last.query_begin || anchor.genome_begin <= last.genome_begin) return impossible;
  if (anchor.contig != last.contig || anchor.reverse != last.reverse) return impossible;
  const std::int64_t apart = std::abs(in_read - in_genome);
  const std::int64_t added = std::min({in_read, in_genome, static_cast<std::int64_t>(anchor.length)});
  const std::int64_t between = std::max<std::int64_t>(std::min(in_read, in_genome) - anchor.length, 0);
  return static_cast<std::int32_t>(added) - change_cost(apart, between);
}

}  // namespace

void AnchorChainer::fill(const std::vector<Anchor>& anchors) {
  const auto count = static_cast<std::uint32_t>(anchors.size());
  scores_.resize(count), highest_.resize(count), previous_.resize(count);
  seen_.assign(count, none);
  for (std::uint32_t i = 0; i < count; ++i) {
    const Anchor& anchor = anchors[i];
    std::int32_t best = static_cast<std::int32_t>(anchor.length);
    std::uint32_t from = none, skipped = 0;
    for (std::uint32_t j = i; j-- > 0 && i - j <= max_lookback;) {
      if (anchors[j].reverse != anchor.reverse) break;
      if (highest_[j] + static_cast<std::int32_t>(anchor.length) <= best) break;  // none before can be better
      if (static_cast<std::int64_t>(anchor.genome_end() - anchors[j].genome_end()) > max_distance + anchor.length)
        break;
      const std::int32_t added = gain(anchors[j], anchor);
      if (added == impossible) continue;
      if (scores_[j] + added > best) {
        best = scores_[j] + added, from = j;
        if (skipped > 0) --skipped;
      } else if (seen_[j] == i && ++skipped > max_skipped) {
        break;
      }
      if (previous_[j] != none) seen_[previous_[j]] = i;
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
    for (; i != none && seen_[i] == 0; i = previous_[i]) {
      seen_[i] = 1;
      chained_.push_back(anchors[i]);
    }
    const std::int32_t score = scores_[last] - (i == none ? 0 : scores_[i]);
    if (score < min_chain_score) {
      chained_.resize(first);
      continue;
    }
    std::reverse(chained_.begin() + first, chained_.end());
    chains.push_back({first, static_cast<std::uint32_t>(chained_.size()) - first, score});
  }
  anchors.swap(chained_);
  std::stable_sort(chains.begin(), chains.end(),
                   [](const AnchorChain& a, const AnchorChain& b) { return a.score > b.score; });
}

void AnchorChainer::chain(std::vector<Anchor>& anchors, std::vector<AnchorChain>& chains) {
  chains.clear();
  fill(anchors);
  collect(anchors, chains);
}

}  // namespace warpseed::align
