// Can gaps better an extension that has none? Asked of wavefronts, before a dynamic programme is set up.
//
// Marco-Sola et al., "Fast gap-affine pairwise alignment using the wavefront algorithm and applications", Bioinformatics
// 2021. A loss is counted against matches throughout; a wavefront holds how many bases of the query an alignment with
// exactly this loss consumes at most, on each diagonal. Most extensions lose little against their ungapped one, so few
// and narrow wavefronts do. A no is certain; a yes is not, since dead cells and the band are left to the programme.
#pragma once

#include <cstdint>

#include "align/align_options.hpp"
#include "align/extend/extension.hpp"
#include "core/bits.hpp"

namespace warpseed::align {

constexpr std::int32_t wave_diagonals = 64;                 // two for each lane of a warp
constexpr std::int32_t wave_ring = 16;                      // wavefronts that are kept: no single step loses more
constexpr std::int32_t wave_query = 254;                    // bases: one more is what a byte holds
constexpr std::int32_t wave_words = wave_query / 32 + 1;    // of the query, with its end
constexpr std::int32_t wave_genome_words = wave_words + 4;  // one before its begin, two of diagonals, one beyond

/// An extension without gaps, and a search for a gap that betters it.
struct GapSearch {
  std::int32_t query_length, best_query, best_gain,
      loss;  // of the extension; gain: what its best end adds to the start
  std::int32_t match;
  std::int32_t mismatch, open_deletion, deletion, open_insertion,
      insertion;                               // what a base loses; open_: the gap's first
  std::int32_t insertions = 0, deletions = 0;  // bases of gaps that may pay, at most

  WS_HD GapSearch(const UngappedExtension& ungapped, std::int32_t length, std::int32_t start_score, const Scoring& s)
      : query_length(length),
        best_query(ungapped.ends.best_query),
        best_gain(ungapped.ends.best_score - start_score),
        loss(ungapped.loss),
        match(s.match),
        mismatch(s.mismatch + s.match),
        open_deletion(s.deletion_open + s.deletion_extend),
        deletion(s.deletion_extend),
        open_insertion(s.insertion_open + s.insertion_extend + s.match),
        insertion(s.insertion_extend + s.match) {
    if (loss >= open_deletion) deletions = 1 + (loss - open_deletion) / deletion;
    if (loss >= open_insertion) insertions = 1 + (loss - open_insertion) / insertion;
  }

  WS_HD std::int32_t diagonals() const { return insertions + 1 + deletions; }
  WS_HD std::int32_t first_gap() const { return open_deletion < open_insertion ? open_deletion : open_insertion; }

  /// Does the search fit its memory, and would the programme follow the ungapped extension to its end? It ends where a
  /// cell is dead, or a row's best too far below the best so far: never by more than the loss.
  WS_HD bool possible(const UngappedExtension& ungapped, const Scoring& scoring) const {
    const auto fits = [](std::int32_t step) { return step > 0 && step < wave_ring; };
    return ungapped.lowest > 0 && loss <= scoring.drop && match > 0 && query_length <= wave_query && insertions <= 32 &&
           diagonals() <= wave_diagonals && fits(mismatch) && fits(open_deletion) && fits(deletion) &&
           fits(open_insertion) && fits(insertion);
  }
};

/// The memory of a search. A wavefront's first and last diagonals are always empty.
struct alignas(16) GapWaves {
  using Wave = std::uint8_t[wave_diagonals + 2];  // one more than the bases consumed; 0: none

  Wave aligned[wave_ring], deletion[wave_ring], insertion[wave_ring];  // by what is lost, and by how it ends
  std::uint32_t differ[wave_words][wave_diagonals];                    // where query and genome do; bit 0 comes first
  std::uint32_t query_low[wave_words], query_high[wave_words];         // the bits of 32 bases
  std::uint32_t genome_low[wave_genome_words], genome_high[wave_genome_words];  // from 32 bases before its begin on
  std::uint8_t ungapped;                                                        // bases consumed without a gap so far

  /// Compares 32 bases of the query on a diagonal; what lies behind its end differs.
  WS_HD void compare(const GapSearch& search, std::int32_t word, std::int32_t slot) {
    const std::int32_t at = 32 * (word + 1) + slot - search.insertions;
    const auto from = [&](const std::uint32_t* bits) {
      const std::uint64_t two = bits[at / 32] | std::uint64_t{bits[at / 32 + 1]} << 32;
      return static_cast<std::uint32_t>(two >> at % 32);
    };
    const std::int32_t rest = search.query_length - 32 * word;
    const std::uint32_t behind = rest >= 32 ? 0 : ~std::uint32_t{0} << rest;
    differ[word][slot] = (query_low[word] ^ from(genome_low)) | (query_high[word] ^ from(genome_high)) | behind;
  }

  /// The first difference from query base `at` on; the query's end is one.
  WS_HD std::int32_t end_of_run(std::int32_t at, std::int32_t slot) const {
    std::int32_t word = at / 32;
    std::uint32_t bits = differ[word][slot] & ~std::uint32_t{0} << at % 32;
    while (bits == 0) bits = differ[++word][slot];
    return 32 * word + static_cast<std::int32_t>(trailing_zeros(bits));
  }

  /// Fills the wavefronts before the first gap; all memory of wavefronts must be 0.
  WS_HD void start(const GapSearch& search) {
    std::int32_t reached = end_of_run(0, search.insertions);
    aligned[0][search.insertions + 1] = static_cast<std::uint8_t>(reached + 1);
    for (std::int32_t lost = search.mismatch; lost < search.first_gap() && lost <= search.loss;
         lost += search.mismatch) {
      reached = end_of_run(reached + 1, search.insertions);
      aligned[lost][search.insertions + 1] = static_cast<std::uint8_t>(reached + 1);
    }
    ungapped = static_cast<std::uint8_t>(reached);
  }

  /// One diagonal of the wavefront of what loses `lost`. Returns whether an alignment with a gap that ends there may be
  /// as good as that without.
  WS_HD bool advance(const GapSearch& search, std::int32_t lost, std::int32_t slot);
};

WS_HD inline bool GapWaves::advance(const GapSearch& search, std::int32_t lost, std::int32_t slot) {
  const auto before = [&](Wave* waves, std::int32_t step) { return waves[(lost - step) & (wave_ring - 1)]; };
  const auto longer = [](std::int32_t a, std::int32_t b) { return a > b ? a : b; };
  const std::int32_t at = slot + 1, here = lost & (wave_ring - 1);
  const std::int32_t deleted =
      longer(before(aligned, search.open_deletion)[at - 1], before(deletion, search.deletion)[at - 1]);
  std::int32_t inserted =
      longer(before(aligned, search.open_insertion)[at + 1], before(insertion, search.insertion)[at + 1]);
  inserted += inserted > 0 ? 1 : 0;
  std::int32_t reached = before(aligned, search.mismatch)[at];
  reached += reached > 0 ? 1 : 0;
  const std::int32_t gapped = longer(deleted, inserted);
  const bool ungapped_extension = slot == search.insertions;
  if (!ungapped_extension) reached = longer(reached, gapped);
  bool may_win = ungapped_extension && gapped > ungapped + 1;
  if (reached > 0) {
    const std::int32_t bases = end_of_run(reached - 1, slot), gain = bases * search.match - lost;
    reached = bases + 1;
    if (ungapped_extension) {
      ungapped = static_cast<std::uint8_t>(bases);
    } else {
      const bool earlier = bases + slot - search.insertions <= search.best_query;
      may_win = gain > search.best_gain || (gain == search.best_gain && earlier) ||
                (bases == search.query_length && lost < search.loss);
    }
  }
  aligned[here][at] = static_cast<std::uint8_t>(reached);
  deletion[here][at] = static_cast<std::uint8_t>(deleted);
  insertion[here][at] = static_cast<std::uint8_t>(inserted);
  return may_win;
}

/// 32 bases of a walk from `at` on as two words of bits; 0 where it has none. Returns false if one is an N.
WS_HD inline bool bits_of(const Strand& strand, std::int32_t at, std::uint32_t& low, std::uint32_t& high) {
  low = high = 0;
  for (std::int32_t i = 0; i < 32 && at + i < strand.length; ++i) {
    const std::uint32_t code = strand[at + i];
    if (code > 3) return false;
    low |= (code & 1) << i, high |= (code >> 1) << i;
  }
  return true;
}

/// May an alignment with a gap be as good as the one without? genome: as long as gaps reach, or to the contig's end.
/// An N is a yes.
inline bool gap_may_win(const GapSearch& search, const Strand& query, const Strand& genome) {
  GapWaves waves = {};
  const std::int32_t words = search.query_length / 32 + 1;
  for (std::int32_t word = 0; word < words; ++word) {
    if (!bits_of(query, 32 * word, waves.query_low[word], waves.query_high[word])) return true;
  }
  for (std::int32_t word = 1; word < wave_genome_words; ++word) {
    if (!bits_of(genome, 32 * (word - 1), waves.genome_low[word], waves.genome_high[word])) return true;
  }
  for (std::int32_t slot = 0; slot < search.diagonals(); ++slot) {
    for (std::int32_t word = 0; word < words; ++word) waves.compare(search, word, slot);
  }
  waves.start(search);
  for (std::int32_t lost = search.first_gap(); lost <= search.loss; ++lost) {
    for (std::int32_t slot = 0; slot < search.diagonals(); ++slot) {
      if (waves.advance(search, lost, slot)) return true;
    }
  }
  return false;
}

}  // namespace warpseed::align
