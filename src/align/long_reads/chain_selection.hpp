// Which chains of a long read are aligned.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "align/long_reads/anchor.hpp"
#include "align/long_reads/long_alignment.hpp"

namespace warpseed::align {

/// Looks at the chains of a read from the best one on. One that shares at least half of the bases under its anchors
/// with alignments along a better chain is secondary, and aligned only if its score is near that chain's: to know how
/// sure the better alignment is, and to report it on request. Of all others most_parts() are aligned.
class ChainSelection {
 public:
  /// least_secondary: secondary chains that are aligned whatever they score.
  explicit ChainSelection(std::uint32_t read_length, std::uint32_t least_secondary = 0)
      : read_length_(read_length), least_secondary_(least_secondary) {}

  /// Is the next chain to be aligned?
  bool takes(const AnchorChain& chain, std::span<const Anchor> anchors);

  /// Claims the read bases of the alignments along a chain that was taken. Secondary ones claim nothing.
  void claim(const AnchorChain& chain, std::span<const LongAlignment> alignments);

 private:
  /// Bases [begin, end) of the read as sequenced, and the score of the chain that claims them.
  struct Claim {
    std::uint32_t begin = 0, end = 0;
    std::int32_t chain_score = 0;
  };

  std::uint64_t bases_in(const Claim& claim, std::span<const Anchor> anchors) const;

  std::uint32_t read_length_;
  std::uint32_t least_secondary_;
  std::uint32_t secondary_ = 0;  // chains taken
  std::uint32_t parts_ = 0;      // other chains taken
  bool is_secondary_ = false;    // the chain that was taken last
  std::vector<Claim> claims_;
};

}  // namespace warpseed::align
