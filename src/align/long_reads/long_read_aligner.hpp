// Aligns long reads, one at a time: anchors, chains, paths, ranking.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "align/align_options.hpp"
#include "align/long_reads/anchor_chainer.hpp"
#include "align/long_reads/anchor_finder.hpp"
#include "align/long_reads/chain_aligner.hpp"
#include "align/long_reads/chain_selection.hpp"
#include "align/long_reads/chained_anchors.hpp"
#include "align/long_reads/long_alignment.hpp"
#include "align/pipeline/read_alignments.hpp"
#include "align/pipeline/stage_times.hpp"

namespace warpseed::align {

/// Reuses its memory for all reads. Threads: one aligner per thread.
class LongReadAligner {
 public:
  /// All three must outlive it.
  LongReadAligner(const index::FmView& fm, const text::GenomeView& genome, const AlignOptions& options)
      : options_(options), rules_(anchor_rules(fm, options)), finder_(fm, genome, options), aligner_(genome, options) {}

  /// Fills the long alignments of a read, best first. read_number: breaks ties between equal alignments.
  void align(ReadAlignments& read, std::uint64_t read_number);

  /// The stage times so far.
  const StageTimes& times() const { return times_; }

 private:
  bool chain(const ReadAlignments& read);
  void chain_overlapping(const ReadAlignments& read);
  bool is_anchored(std::span<const Anchor> anchors, std::span<const LongAlignment> alignments) const;
  bool align_chains(const PackedRead& read, const ChainedAnchors& chained, ChainSelection selection, bool only_anchored,
                    std::vector<LongAlignment>& found);

  const AlignOptions& options_;
  const AnchorRules rules_;
  AnchorFinder finder_;
  AnchorChainer chainer_;
  ChainAligner aligner_;
  StageTimes times_;
  ChainedAnchors chained_;
};

}  // namespace warpseed::align
