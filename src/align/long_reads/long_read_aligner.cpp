#include "align/long_reads/long_read_aligner.hpp"

#include <span>

#include "align/long_reads/long_ranking.hpp"
#include "align/long_reads/path_scan.hpp"

namespace warpseed::align {

namespace {

constexpr std::uint64_t least_anchored_percent = 25;  // of the bases in exact matches as long as anchors
constexpr std::uint32_t least_secondary = 3;          // chains, where few anchors do not show which is the best

}  // namespace

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

/// Chains the anchors of the read's chains again, with those of overlapping matches.
void LongReadAligner::chain_overlapping(const ReadAlignments& read) {
  if (read.has_chains) chained_.anchors = read.chained.anchors;
  finder_.add_overlapping(read.read, chained_.anchors);
  times_.end(AlignStage::seeds);
  chainer_.chain(chained_.anchors, chained_.chains);
  times_.end(AlignStage::chains);
}

/// Is a good part of the long exact matches along a chain's alignments anchors? If not, most of them are too frequent in
/// the genome, and the others do not show which of the copies the read is from.
bool LongReadAligner::is_anchored(std::span<const Anchor> anchors, std::span<const LongAlignment> alignments) const {
  std::uint64_t anchored = 0, matching = 0;
  for (const Anchor& anchor : anchors) anchored += anchor.length;
  for (const LongAlignment& one : alignments) matching += bases_in_runs(one, rules_.min_length);
  return 100 * anchored >= least_anchored_percent * matching;
}

/// Appends the alignments along the chains that are worth it. Stops after the best chain and returns false if
/// only_anchored is set and that is not anchored.
bool LongReadAligner::align_chains(const PackedRead& read, const ChainedAnchors& chained, ChainSelection selection,
                                   bool only_anchored, std::vector<LongAlignment>& found) {
  for (std::size_t i = 0; i < chained.chains.size(); ++i) {
    const AnchorChain& chain = chained.chains[i];
    const std::span anchors = std::span(chained.anchors).subspan(chain.first, chain.count);
    if (!selection.takes(chain, anchors)) continue;
    const std::size_t first = found.size();
    aligner_.align(read, anchors, chained.joints_of(i), found);
    const std::span added = std::span(found).subspan(first);
    if (i == 0 && only_anchored && !is_anchored(anchors, added)) return false;
    selection.claim(chain, added);
  }
  return true;
}

void LongReadAligner::align(ReadAlignments& read, std::uint64_t read_number) {
  std::vector<LongAlignment>& found = read.long_alignments;
  found.clear();
  times_.begin();
  const bool frequent = !chain(read);
  const ChainedAnchors& chained = read.has_chains && !frequent ? read.chained : chained_;
  const std::uint32_t length = read.read.length();
  std::uint32_t unseen = 0;
  if (!align_chains(read.read, chained, ChainSelection(length), !frequent, found)) {
    times_.end(AlignStage::extension);
    chain_overlapping(read);
    found.clear();
    align_chains(read.read, chained_, ChainSelection(length, least_secondary), false, found);
    unseen = static_cast<std::uint32_t>(rules_.max_rows);  // at least so many copies
  }
  rank_long_alignments(found, length, read_number, unseen, options_);
  if (frequent) {  // only some of its positions were looked at
    for (LongAlignment& one : found) one.mapq = 0;
  }
  times_.end(AlignStage::extension);
}

}  // namespace warpseed::align
