#include "align/long_reads/long_read_aligner.hpp"

#include <span>

#include "align/long_reads/chain_selection.hpp"
#include "align/long_reads/long_ranking.hpp"

namespace warpseed::align {

void LongReadAligner::align(ReadAlignments& read, std::uint64_t read_number) {
  std::vector<LongAlignment>& found = read.long_alignments;
  found.clear();
  times_.begin();
  if (read.has_anchors) {
    anchors_.swap(read.anchors);
    AnchorFinder::arrange(anchors_);
  } else {
    finder_.find(read.read, anchors_);
  }
  times_.end(AlignStage::seeds);
  chainer_.chain(anchors_, chains_);
  const bool frequent = chains_.empty();
  if (frequent) {
    finder_.find_frequent(read.read, anchors_);
    chainer_.chain(anchors_, chains_);
  }
  times_.end(AlignStage::chains);
  ChainSelection selection(read.read.length());
  for (const AnchorChain& chain : chains_) {
    const std::span anchors = std::span(anchors_).subspan(chain.first, chain.count);
    if (!selection.takes(chain, anchors)) continue;
    const std::size_t first = found.size();
    aligner_.align(read.read, anchors, found);
    selection.claim(chain, std::span(found).subspan(first));
  }
  rank_long_alignments(found, read.read.length(), read_number, options_);
  if (frequent) {  // only some of its positions were looked at
    for (LongAlignment& one : found) one.mapq = 0;
  }
  times_.end(AlignStage::extension);
}

}  // namespace warpseed::align
