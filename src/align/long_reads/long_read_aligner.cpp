#include "align/long_reads/long_read_aligner.hpp"

#include <span>

#include "align/long_reads/chain_selection.hpp"
#include "align/long_reads/long_ranking.hpp"

namespace warpseed::align {

/// Finds the chains of a read, unless the backend has found them: those of anchors that are not frequent, or if there
/// are none, which it returns false for, of frequent ones.
bool LongReadAligner::chain(const ReadAlignments& read) {
  if (read.has_chains && !read.chained.chains.empty()) return true;
  std::vector<Anchor>& anchors = chained_.anchors;
  std::vector<AnchorChain>& chains = chained_.chains;
  if (!read.has_chains) {
    finder_.find(read.read, anchors);
    times_.end(AlignStage::seeds);
    chainer_.chain(anchors, chains);
    times_.end(AlignStage::chains);
    if (!chains.empty()) return true;
  }
  finder_.find_frequent(read.read, anchors);
  chainer_.chain(anchors, chains);
  times_.end(AlignStage::chains);
  return false;
}

void LongReadAligner::align(ReadAlignments& read, std::uint64_t read_number) {
  std::vector<LongAlignment>& found = read.long_alignments;
  found.clear();
  times_.begin();
  const bool frequent = !chain(read);
  const ChainedAnchors& chained = read.has_chains && !frequent ? read.chained : chained_;
  ChainSelection selection(read.read.length());
  for (std::size_t i = 0; i < chained.chains.size(); ++i) {
    const AnchorChain& chain = chained.chains[i];
    const std::span anchors = std::span(chained.anchors).subspan(chain.first, chain.count);
    if (!selection.takes(chain, anchors)) continue;
    const std::size_t first = found.size();
    aligner_.align(read.read, anchors, chained.joints_of(i), found);
    selection.claim(chain, std::span(found).subspan(first));
  }
  rank_long_alignments(found, read.read.length(), read_number, options_);
  if (frequent) {  // only some of its positions were looked at
    for (LongAlignment& one : found) one.mapq = 0;
  }
  times_.end(AlignStage::extension);
}

}  // namespace warpseed::align
