// Which chains of a long read are aligned.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "align/long_reads/anchor.hpp"

namespace warpseed::align {

/// A chain to align, and the best score of a chain that shares most of its read bases.
struct SelectedChain {
  AnchorChain chain;
  std::int32_t second_score = 0;
};

/// A chain that shares at least half of the read bases under its anchors with a better one is secondary: of those, ones
/// with at least 0.8 of the better one's score are selected, up to `most_secondary`. All others are selected. What lies in
/// a long gap between two anchors of a chain is not shared with it. chains: by score, as AnchorChainer sorts them.
std::vector<SelectedChain> select_chains(std::span<const AnchorChain> chains, std::span<const Anchor> anchors,
                                         std::uint32_t read_length, std::uint32_t most_secondary);

}  // namespace warpseed::align
