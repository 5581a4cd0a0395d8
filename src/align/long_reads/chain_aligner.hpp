// Aligns a long read along a chain of anchors: base by base between them, and as far as it pays beyond their ends.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "align/align_options.hpp"
#include "align/long_reads/anchor.hpp"
#include "align/long_reads/chain_joints_core.hpp"
#include "align/long_reads/chained_anchors.hpp"
#include "align/long_reads/long_alignment.hpp"
#include "align/long_reads/two_piece_dp.hpp"
#include "align/pipeline/read_alignments.hpp"
#include "text/genome_core.hpp"

namespace warpseed::align {

/// Between two anchors the path is the best one in a band; where it loses more than the z-drop, the chain is split
/// there and both parts are extended instead, and what lies between is tried on the other strand.
/// Threads: one aligner per thread.
class ChainAligner {
 public:
  /// Both must outlive it.
  ChainAligner(const text::GenomeView& genome, const AlignOptions& options)
      : genome_(genome), options_(options), scoring_(options.long_scoring) {}

  /// Appends the alignments along a chain of the read: one, or its parts in chain order. known: paths of its joints;
  /// those that are not are computed.
  void align(const PackedRead& read, std::span<const Anchor> chain, const JointPaths& known,
             std::vector<LongAlignment>& found);

 private:
  std::span<const std::uint8_t> query_codes(std::uint32_t begin, std::uint32_t end) const;
  std::span<const std::uint8_t> genome_codes(GenomePos begin, GenomePos end) const;
  void open_window(const PackedRead& read, const Anchor& first, const Anchor& last);
  void begin_part(const Corner& anchor, const Corner& floor, bool read_end);
  bool align_joint(const ChainJoint& joint, std::span<const records::CigarElement> known);
  void append_piece();
  void end_part(const Corner& ceiling, bool read_end, std::vector<LongAlignment>& found);
  Corner invert(const Corner& begin, const Corner& end);
  bool is_inverted(const Corner& begin, const Corner& end);
  void try_inversion(const Corner& begin, const Corner& end, std::vector<LongAlignment>& found);
  void add_alignment(Cigar& cigar, const Corner& begin, bool inverted, std::vector<LongAlignment>& found);
  TwoPieceEnd extend(std::span<const std::uint8_t> query, std::span<const std::uint8_t> genome, bool read_end,
                     Cigar& cigar);

  const text::GenomeView& genome_;
  const AlignOptions& options_;
  const LongScoring scoring_;
  TwoPieceScratch scratch_;
  const PackedRead* read_ = nullptr;
  Anchor shape_;                      // contig and strand of the current chain
  GenomePos window_begin_ = 0;        // of window_
  std::vector<std::uint8_t> window_;  // genome codes around the chain
  std::vector<std::uint8_t> flipped_query_, flipped_genome_;
  std::vector<std::int32_t> path_scores_;  // of the current chain, see choose_path()
  std::vector<std::uint32_t> next_;
  Corner begin_, end_;   // of the current part's path
  Cigar cigar_, piece_;  // of the current part
};

}  // namespace warpseed::align
