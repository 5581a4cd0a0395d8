// Chains the anchors of a long read.
#pragma once

#include <cstdint>
#include <vector>

#include "align/long_reads/anchor.hpp"

namespace warpseed::align {

/// Dynamic programming over anchors: a chain scores the bases under its anchors, less a cost for each change of
/// diagonal, see share/doc/modules/long_reads.md. Li, "Minimap2", Bioinformatics 2018.
/// Cost: for each anchor some dozen earlier ones. Threads: one chainer per thread.
class AnchorChainer {
 public:
  /// Replaces `anchors`, sorted as AnchorFinder::find() does, by those of chains, chain by chain, and `chains` by
  /// these, best score first; equal ones by strand, genome end and query end of their last anchors.
  void chain(std::vector<Anchor>& anchors, std::vector<AnchorChain>& chains);

  /// Sorts chains by score, the best first; equal ones stay in order.
  static void sort_chains(std::vector<AnchorChain>& chains);

 private:
  void fill(const std::vector<Anchor>& anchors);
  void collect(std::vector<Anchor>& anchors, std::vector<AnchorChain>& chains);

  std::vector<std::int32_t> scores_;         // [anchors] of the best chain that ends there
  std::vector<std::int32_t> highest_;        // [anchors] the highest of these so far, on this strand
  std::vector<std::uint32_t> previous_;      // [anchors] in that chain
  std::vector<std::uint32_t> seen_, order_;  // [anchors]
  std::vector<Anchor> chained_;
};

}  // namespace warpseed::align
