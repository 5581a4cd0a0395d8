// Aligns groups of reads: seeds, chains, extensions, mate rescue. The CPU's loop around the *_core functions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "align/align_options.hpp"
#include "align/alignment.hpp"
#include "align/chain/chain_core.hpp"
#include "align/chain/diagonal_score_table.hpp"
#include "align/chain/hit_sorter.hpp"
#include "align/extend/extend_hit_core.hpp"
#include "align/extend/hit_extender.hpp"
#include "align/pair/mate_rescue_core.hpp"
#include "align/pipeline/read_alignments.hpp"
#include "align/pipeline/stage_times.hpp"
#include "align/seed/seeder.hpp"
#include "align/select/rank_core.hpp"
#include "index/fm_core.hpp"
#include "text/genome_core.hpp"

namespace warpseed::align {

/// Reuses its scratch memory for all reads. Threads: one aligner per thread.
class ReadAligner {
 public:
  ReadAligner(const index::FmView& fm, const text::GenomeView& genome, const AlignOptions& options)
      : genome_(genome),
        options_(options),
        seeder_(fm, genome, options),
        diagonals_(options.scoring),
        extender_(genome, options) {}

  /// Fills alignments and traits of every read of the group. The reads are numbered from `first_number`; the number
  /// breaks ties between equal alignments. How reads are grouped changes no result.
  void align(std::span<ReadAlignments> group, std::uint64_t first_number);

  /// Must precede the first rescue() of a mate.
  void begin_rescues() { words_filled_[0] = words_filled_[1] = false; }

  /// Searches `mate` in the window around `anchor` given by orientation `seen` and the distances in `range`. Appends
  /// what it finds to mate.alignments (unranked). Returns whether it added any.
  bool rescue(const Alignment& anchor, std::uint32_t anchor_length, ReadAlignments& mate, std::uint64_t mate_number,
              Orientation seen, const InsertSizeRange& range);

  /// The stage times so far; the caller adds its own.
  StageTimes& times() { return times_; }
  const StageTimes& times() const { return times_; }

  /// Ranks the alignments again and marks their competitors.
  void rank(ReadAlignments& aligned, std::uint64_t read_number) const;

 private:
  void align_hits(std::span<SeedHit> hits, ReadAlignments& aligned, std::uint64_t read_number);  // sorts them
  DiagonalStretch stretch_of(const SeedHit& hit, std::uint32_t length) const;
  std::int32_t diagonal_score(const PackedRead& read, const SeedHit& hit) const;
  const WordTable& words_of(const PackedRead& mate, bool reversed);
  void grow(std::span<const Chain> chains, std::span<const SeedHit> hits, ReadAlignments& aligned,
            std::uint64_t read_number);

  const text::GenomeView& genome_;
  const AlignOptions& options_;
  Seeder seeder_;
  const DiagonalScoreTable diagonals_;
  HitExtender extender_;
  StageTimes times_;
  HitSorter hit_sorter_;
  std::vector<Chain> chains_;
  std::vector<Alignment> grown_;  // of the current read
  std::vector<std::uint32_t> origins_, order_;
  std::vector<std::uint8_t> rescue_window_;
  WordTable words_[2];  // of the mate that is sought, on both strands
  std::vector<WordSlot> word_slots_[2];
  bool words_filled_[2] = {};
  std::vector<std::uint16_t> votes_;
};

}  // namespace warpseed::align
