// Parameters of alignment, with the option letters and defaults of bwa mem.
#pragma once

#include <cstdint>
#include <string_view>

namespace warpseed {

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
};

/// Scores and penalties of long reads, all as positive numbers. A gap of length g costs the less of
/// gap_open + g * gap_extend and long_gap_open + g * long_gap_extend. The defaults are those of minimap2.
struct LongScoring {
  std::int32_t match = 2;
  std::int32_t mismatch = 4;
  std::int32_t gap_open = 4;
  std::int32_t gap_extend = 2;
  std::int32_t long_gap_open = 24;
  std::int32_t long_gap_extend = 1;
  std::int32_t drop = 400;      // z-drop: where the score falls by more, an alignment ends
  std::int32_t end_bonus = 10;  // the most that an alignment to the read's end may lose
};

/// The tag cs: none, or with matches as numbers or as bases.
enum class CsTag : std::uint8_t { none, short_form, long_form };

/// What decides which alignments are found and reported.
struct AlignParameters {
  Scoring scoring;
  LongScoring long_scoring;
  std::uint32_t min_seed = 19;          // -k
  std::int32_t band = 100;              // -w
  float reseed_factor = 1.5F;           // -r: seeds of at least this multiple of min_seed are reseeded
  std::uint32_t reseed_rows = 10;       //     if they have at most this many occurrences
  std::uint32_t rare_rows = 20;         // -y: in repetitive reads, matches with at most this many hits are seeds, too
  std::uint32_t rival_edits = 2;        // next to an alignment with few edits those with fewer than this many more
                                        // are sought; 0: all are, as with report_all
  std::uint32_t max_occurrences = 500;  // -c: of a seed with more occurrences, this many evenly spaced ones are used
  float chain_drop = 0.5F;              // -D: chains below this fraction of a better overlapping one are dropped
  std::uint32_t max_chains = 128;       // maximum chains extended per read
  std::uint32_t max_diagonals = 1024;   // maximum chains per read whose diagonal is scored
  std::int32_t min_score = 30;          // -T: minimum score of reported alignments
  std::int32_t min_long_score = 80;     //     the same of long reads' alignments
  std::uint32_t max_rescues = 50;       // -m: maximum mate rescues per read
  bool rescue_mates = true;             // -S switches it off
  bool pairing = true;                  // -P switches it off
  bool report_all = false;              // -a: secondary records of reads that are not in a proper pair
  bool soft_clip_split = false;         // -Y
  bool split_as_secondary = false;      // -M
  std::uint32_t max_alternatives = 5;   // -h: XA lists at most this many
  std::uint32_t max_with_alt = 200;     // -h x,INT: or this many if some are on ALT contigs
  bool long_reads = true;               // -x sr: single reads of more than 1,000 bases are aligned as short ones, too
  CsTag cs = CsTag::none;               // --cs
  bool ds = false;                      // --ds
  bool eqx = false;                     // --eqx: CIGARs with = and X
  float alternative_ratio = 0.8F;       // XA lists alignments with at least this fraction of the best score
  bool keep_split_mapq = false;         // -q: else a supplementary alignment's MAPQ is at most the primary one's
  bool first_part_primary = false;      // -5: of a split read the part that begins first is primary; implies -q
};

/// Sets what a kind of reads is aligned with, by the names of `warpseed align -x`: "auto" (single reads of more than
/// 1,000 bases are long), "sr" (all are short), "hifi" and "ont" (scores of the long ones), and what minimap2 and bwa
/// call them; "intractg", contigs of the same species (scores of all). Throws InputError for another name.
void apply_preset(std::string_view name, AlignParameters& parameters);

}  // namespace warpseed
