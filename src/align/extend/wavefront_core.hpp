// Tests by wavefronts, before a DP, whether gaps can improve an ungapped extension.
//
// Marco-Sola et al., "Fast gap-affine pairwise alignment using the wavefront algorithm and applications",
// Bioinformatics 2021. The loss is the score difference from matches throughout. A wavefront stores, for each diagonal,
// the maximum number of query bases that an alignment with exactly this loss consumes. Most ungapped extensions lose
// little, so few and narrow wavefronts suffice. A no is certain; a yes is not, since only the DP handles dead cells and
// the band.
#pragma once

#include <cstdint>

#include "align/align_options.hpp"
#include "align/extend/extension.hpp"
#include "core/bits.hpp"

namespace warpseed::align {

constexpr std::int32_t wave_diagonals = 64;                 // two for each lane of a warp
constexpr std::int32_t wave_ring = 16;                      // wavefronts kept: no single step loses more
constexpr std::int32_t wave_query = 254;                    // bases: a byte holds one more
constexpr std::int32_t wave_words = wave_query / 32 + 1;    // of the query, including its end
constexpr std::int32_t wave_genome_words = wave_words + 4;  // one before the begin, two for diagonals, one past the end

/// An ungapped extension, and the search for a better path with a gap within the limits.
struct GapSearch {
  std::int32_t query_length, best_query, best_gain;  // of the extension; gain: best end's score minus the start's
  std::int32_t loss;        // of the extension, or the limit's if that is less: the most that a path may lose
  std::int32_t loss_limit;  // GapLimits::loss
  std::int32_t least_gain;  // of ends within the limit
  std::int32_t match;
  std::int32_t mismatch, open_deletion, deletion, open_insertion,
      insertion;                               // loss per base; open_: of a gap's first base
  std::int32_t insertions = 0, deletions = 0;  // maximum bases of gaps that may pay

  WS_HD GapSearch(const UngappedExtension& ungapped, std::int32_t length, std::int32_t start_score, const Scoring& s,
                  const GapLimits& limits)
      : query_length(length),
        best_query(ungapped.ends.best_query),
        best_gain(ungapped.ends.best_score - start_score),
        loss(ungapped.loss < limits.loss ? ungapped.loss : limits.loss),
        loss_limit(limits.loss),
        least_gain(length * s.match - limits.loss),
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

  /// The least loss of an event: a mismatch or a gap.
  WS_HD std::int32_t event() const { return mismatch < first_gap() ? mismatch : first_gap(); }
  WS_HD bool limited() const { return loss_limit < GapLimits::any_loss; }

  /// Does the search fit its memory, and would the DP follow the ungapped extension to its end? The DP stops at a dead
  /// cell, or when a row's best is too far below the best so far; the difference is at most the loss. With a limit,
  /// better_of() takes the ungapped extension from outside the DP.
  WS_HD bool possible(const UngappedExtension& ungapped, const Scoring& scoring) const {
    const auto fits = [](std::int32_t step) { return step > 0 && step < wave_ring; };
    return (limited() || (ungapped.lowest > 0 && ungapped.loss <= scoring.drop)) && match > 0 &&
           query_length <= wave_query && insertions <= 32 && diagonals() <= wave_diagonals && fits(mismatch) &&
           fits(open_deletion) && fits(deletion) && fits(open_insertion) && fits(insertion);
  }

  /// Is an end with a gap within the limit, and better than the best end without? Ties: the fewer genome bases.
  WS_HD bool is_better_end(std::int32_t gain, std::int32_t genome_bases) const {
    return gain >= least_gain && (gain > best_gain || (gain == best_gain && genome_bases <= best_query));
  }

  /// The result of an extension with a limit: the ends without a gap, or the DP's where they are better and within it.
  WS_HD Extension better_of(const Extension& ungapped, const Extension& found, std::int32_t start_score) const {
    Extension result = ungapped;
    if (is_better_end(found.best_score - start_score, found.best_genome)) {
      result.best_score = found.best_score, result.best_query = found.best_query;
      result.best_genome = found.best_genome;
    }
    const std::int32_t lost = start_score + query_length * match - found.full_score;
    if (found.full_score > 0 && found.full_score > ungapped.full_score && lost < loss_limit) {
      result.full_score = found.full_score, result.full_genome = found.full_genome;
    }
    return result;
  }
};

/// The memory of a search. A wavefront's first and last diagonals are always empty.
struct alignas(16) GapWaves {
  using Wave = std::uint8_t[wave_diagonals + 2];  // bases consumed plus one; 0: none

  Wave aligned[wave_ring], deletion[wave_ring], insertion[wave_ring];  // by loss, and by the last operation
  std::uint32_t differ[wave_words][wave_diagonals];                    // where they differ; the first base in bit 0
  std::uint32_t query_low[wave_words], query_high[wave_words];         // bit planes of 32 bases
  std::uint32_t genome_low[wave_genome_words], genome_high[wave_genome_words];  // starting 32 bases before its begin
  std::uint8_t ungapped;                                                        // bases consumed without a gap so far

  /// Compares 32 bases of the query on a diagonal; positions past its end count as different.
  WS_HD void compare(const GapSearch& search, std::int32_t word, std::int32_t slot) {
    const std::int32_t at = 32 * (word + 1) + slot - search.insertions;
    const auto from = [&](const std::uint32_t* bits) {
      const std::uint64_t two = bits[at / 32] | std::uint64_t{bits[at / 32 + 1]} << 32;
      return static_cast<std::uint32_t>(two >> at % 32);
    };
    const std::int32_t rest = search.query_length - 32 * word;
    const std::uint32_t past_end = rest >= 32 ? 0 : ~std::uint32_t{0} << rest;
    differ[word][slot] = (query_low[word] ^ from(genome_low)) | (query_high[word] ^ from(genome_high)) | past_end;
  }

  /// The first difference at or after query base `at`; the query's end counts as one.
  WS_HD std::int32_t end_of_run(std::int32_t at, std::int32_t slot) const {
    std::int32_t word = at / 32;
    std::uint32_t bits = differ[word][slot] & ~std::uint32_t{0} << at % 32;
    while (bits == 0) bits = differ[++word][slot];
    return 32 * word + static_cast<std::int32_t>(trailing_zeros(bits));
  }

  /// Fills the wavefronts before the first gap; the wavefronts must be zeroed.
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

  /// Computes one diagonal of the wavefront with loss `lost`. Returns whether an alignment with a gap that ends there
  /// may be as good as the ungapped one.
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
      may_win = search.is_better_end(gain, bases + slot - search.insertions) ||
                (bases == search.query_length && lost < search.loss);
    }
  }
  aligned[here][at] = static_cast<std::uint8_t>(reached);
  deletion[here][at] = static_cast<std::uint8_t>(deleted);
  insertion[here][at] = static_cast<std::uint8_t>(inserted);
  return may_win;
}

/// The bit planes of 32 bases of a walk from `at` on; 0 past its end. Returns false if one is an N.
WS_HD inline bool bits_of(const Strand& strand, std::int32_t at, std::uint32_t& low, std::uint32_t& high) {
  low = high = 0;
  for (std::int32_t i = 0; i < 32 && at + i < strand.length; ++i) {
    const std::uint32_t code = strand[at + i];
    if (code > 3) return false;
    low |= (code & 1) << i, high |= (code >> 1) << i;
  }
  return true;
}

/// May an alignment with a gap be as good as the ungapped one? genome: as long as gaps reach, or to the contig's end.
/// Any N gives true.
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
