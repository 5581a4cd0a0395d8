#include "align/long_reads/long_read_aligner.hpp"

#include <span>

#include "align/long_reads/chain_selection.hpp"
#include "align/long_reads/long_ranking.hpp"

namespace warpseed::align {

void LongReadAligner::align(ReadAlignments& read, std::uint64_t read_number) {
  constexpr std::uint32_t most_secondary = 5;
  std::vector<LongAlignment>& found = read.long_alignments;
  found.clear();
  times_.begin();
  finder_.find(read.read, anchors_);
  times_.end(AlignStage::seeds);
  chainer_.chain(anchors_, chains_);
  const auto selected = select_chains(chains_, anchors_, read.read.length(), most_secondary);
  times_.end(AlignStage::chains);
  for (const SelectedChain& one : selected) {
    const std::size_t first = found.size();
    aligner_.align(read.read, std::span(anchors_).subspan(one.chain.first, one.chain.count), found);
    for (std::size_t i = first; i < found.size(); ++i) {
      found[i].chain_score = one.chain.score, found[i].second_chain = one.second_score;
    }
  }
  rank_long_alignments(found, read.read.length(), read_number, options_);
  times_.end(AlignStage::extension);
}

}  // namespace warpseed::align
