// Alignment options, with bwa mem's option letters and defaults.
#pragma once

#include <cstdint>

#include "core/host_device.hpp"
#include "core/view.hpp"

namespace warpseed::align {

/// Scores and penalties, all as positive numbers. A gap of length g costs open + g * extend.
struct Scoring {
  std::int32_t match = 1;             // -A
  std::int32_t mismatch = 4;          // -B
  std::int32_t deletion_open = 6;     // -O
  std::int32_t insertion_open = 6;    // -O x,INT
  std::int32_t deletion_extend = 1;   // -E
  std::int32_t insertion_extend = 1;  // -E x,INT
  std::int32_t clip_begin = 5;        // -L: clip penalty, the most that an alignment to the 5' end may lose
  std::int32_t clip_end = 5;          // -L x,INT
  std::int32_t unpaired = 17;         // -U
  std::int32_t drop = 100;            // -d: z-drop

  /// An N on either side costs 1 and matches nothing.
  WS_HD std::int32_t of(std::uint8_t a, std::uint8_t b) const {
    if (a > 3 || b > 3) return -1;
    return a == b ? match : -mismatch;
  }

  /// The cost of the cheaper kind of gap of this length.
  WS_HD std::int32_t gap_cost(std::int32_t length) const {
    const std::int32_t deletion = deletion_open + length * deletion_extend;
    const std::int32_t insertion = insertion_open + length * insertion_extend;
    return deletion < insertion ? deletion : insertion;
  }

  /// The maximum number of gap bases in an alignment that scores `loss` less than all matches.
  WS_HD std::int32_t max_gap_for_loss(std::int32_t loss) const {
    const std::int32_t deletion = (loss - deletion_open) / deletion_extend;
    const std::int32_t insertion = (loss - insertion_open) / insertion_extend;
    const std::int32_t most = deletion > insertion ? deletion : insertion;
    return most > 0 ? most : 0;
  }
};

struct AlignOptions {
  Scoring scoring;
  std::uint32_t min_seed = 19;          // -k
  std::int32_t band = 100;              // -w
  float reseed_factor = 1.5F;           // -r: seeds of at least this multiple of min_seed are reseeded
  std::uint32_t reseed_rows = 10;       //     if they have at most this many occurrences
  std::uint32_t rare_rows = 20;         // -y: in repetitive reads, matches with at most this many hits are seeds, too
  std::uint32_t max_occurrences = 500;  // -c: of a seed with more occurrences, this many evenly spaced ones are used
  float chain_drop = 0.5F;              // -D: chains below this fraction of a better overlapping one are dropped
  std::uint32_t max_chains = 128;       // maximum chains extended per read
  std::uint32_t max_diagonals = 1024;   // maximum chains per read whose diagonal is scored
  std::int32_t min_score = 30;          // -T: minimum score of reported alignments
  std::uint32_t max_rescues = 50;       // -m: maximum mate rescues per read
  bool rescue_mates = true;             // -S switches it off
  bool pairing = true;                  // -P switches it off
  bool report_all = false;              // -a: secondary records of reads that are not in a proper pair
  bool soft_clip_split = false;         // -Y
  bool split_as_secondary = false;      // -M
  std::uint32_t max_alternatives = 5;   // -h: XA lists at most this many
  std::uint32_t max_with_alt = 200;     // -h x,INT: or this many if some are on ALT contigs
  float alternative_ratio = 0.8F;       // XA lists alignments with at least this fraction of the best score
  View<std::uint8_t> alt_contigs;       // [contigs] 1: ALT; empty: no ALT contigs. Borrowed, see alt_contigs.hpp

  WS_HD bool is_alt(std::uint32_t contig) const { return contig < alt_contigs.size && alt_contigs[contig] != 0; }
};

constexpr float mask_level = 0.5F;  // two alignments compete if they share this fraction of the shorter one's bases

}  // namespace warpseed::align
