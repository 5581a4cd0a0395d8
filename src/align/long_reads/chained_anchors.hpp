// The chains of a long read, with the paths between their anchors as far as these are known.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "align/long_reads/anchor.hpp"
#include "records/alignment_record.hpp"

namespace warpseed::align {

/// Elements [first, first + count) of a CIGAR; count 0: not known.
struct JointPath {
  std::uint32_t first = 0, count = 0;
};

/// The paths of a chain's joints, see for_each_joint(), by the anchors in which these end. Owns nothing.
struct JointPaths {
  std::span<const JointPath> paths;  // [anchors], or none
  std::span<const records::CigarElement> elements;

  /// The path to an anchor; empty if it is not known.
  std::span<const records::CigarElement> to(std::uint32_t anchor) const {
    if (paths.empty()) return {};
    return elements.subspan(paths[anchor].first, paths[anchor].count);
  }
};

struct ChainedAnchors {
  std::vector<Anchor> anchors;      // chain by chain
  std::vector<AnchorChain> chains;  // the best score first
  std::vector<JointPath> joints;    // [anchors of the first chain], or none
  std::vector<records::CigarElement> elements;

  JointPaths joints_of(std::size_t chain) const { return chain == 0 ? JointPaths{joints, elements} : JointPaths{}; }
};

}  // namespace warpseed::align
