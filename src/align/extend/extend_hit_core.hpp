// Extends a chain's hit on both sides to an alignment.
#pragma once

#include <cstdint>

#include "align/alignment.hpp"
#include "align/chain/chain_core.hpp"
#include "align/extend/banded_dp_core.hpp"
#include "align/pair/insert_size_core.hpp"
#include "align/pair/mate_rescue_core.hpp"
#include "text/genome_core.hpp"

namespace warpseed::align {

/// Buffer for the unpacked genome next to a hit; the caller owns the memory.
struct GenomeWindow {
  std::uint8_t* codes = nullptr;  // [genome_reach(read length)]

  /// `length` bases from `anchor` on, or leftwards those before it in reverse order.
  WS_HD Strand fetch(const text::GenomeView& genome, GenomePos anchor, std::int32_t length, bool leftwards) const {
    const GenomePos from = leftwards ? anchor - static_cast<GenomePos>(length) : anchor;
    text::fetch_codes(genome, from, from + static_cast<GenomePos>(length), codes);
    return leftwards ? Strand{codes + length - 1, length, -1} : Strand{codes, length, 1};
  }

  WS_HD UngappedExtension ungapped(const Strand& query, const Strand& genome, std::int32_t start_score,
                                   const Scoring& scoring) const {
    return extend_ungapped(query, genome, start_score, scoring);
  }
};

WS_HD inline GenomeRange range_of_contig(const text::GenomeView& genome, std::uint32_t contig) {
  return {genome.contig_begins[contig], genome.contig_begins[contig + 1]};
}

/// Extends query codes [0, query_length) leftwards or rightwards from genome position `anchor`. Scratch: fetches the
/// genome and runs the DP, see extend(): SimdExtender, or a device's warp.
template <class Scratch>
WS_HD inline Extension extend_side(const text::GenomeView& genome, const GenomeRange& contig, const Strand& query,
                                   GenomePos anchor, std::int32_t start_score, const GapLimits& limits,
                                   const Scoring& scoring, const Scratch& scratch) {
  const bool leftwards = query.step < 0;
  const auto available = static_cast<std::int64_t>(leftwards ? anchor - contig.begin : contig.end - anchor);
  const auto fetch = [&](std::int64_t wanted) {
    return scratch.fetch(genome, anchor, static_cast<std::int32_t>(wanted < available ? wanted : available), leftwards);
  };
  return extend(query, fetch, start_score, limits, scoring, scratch);
}

/// Does the alignment to the read's end score better than the best clipped end minus the clip penalty?
WS_HD inline bool reaches_end(const Extension& extension, std::int32_t clip) {
  return extension.full_score > 0 && extension.full_score > extension.best_score - clip;
}

/// Grows the alignment of one hit of a read. side(leftwards, start_score): the Extension on that side.
template <class Side>
WS_HD inline LocalAlignment grow_hit(const SeedHit& hit, std::uint32_t length, const Scoring& scoring, Side side) {
  LocalAlignment result;
  result.contig = hit.contig, result.reverse = hit.reverse;
  result.query_begin = hit.query_begin, result.query_end = hit.query_end();
  result.genome_begin = hit.genome_begin, result.genome_end = hit.genome_end();
  result.score = result.path_score = static_cast<std::int32_t>(hit.length) * scoring.match;
  // The read's 5' end is the left one of a forward and the right one of a reverse alignment.
  const std::int32_t clip_left = hit.reverse ? scoring.clip_end : scoring.clip_begin;
  const std::int32_t clip_right = hit.reverse ? scoring.clip_begin : scoring.clip_end;
  if (hit.query_begin > 0) {
    const Extension found = side(true, result.score);
    const bool full = reaches_end(found, clip_left);
    result.query_begin = full ? 0 : hit.query_begin - static_cast<std::uint32_t>(found.best_query);
    result.genome_begin -= static_cast<GenomePos>(full ? found.full_genome : found.best_genome);
    result.path_score = full ? found.full_score : found.best_score;
    result.score = found.best_score;
  }
  if (hit.query_end() < length) {
    const Extension found = side(false, result.score);
    const bool full = reaches_end(found, clip_right);
    result.query_end = full ? length : hit.query_end() + static_cast<std::uint32_t>(found.best_query);
    result.genome_end += static_cast<GenomePos>(full ? found.full_genome : found.best_genome);
    result.path_score += (full ? found.full_score : found.best_score) - result.score;
    result.score = found.best_score;
  }
  result.clip_penalty = result.score - result.path_score + (result.query_begin > 0 ? clip_left : 0) +
                        (result.query_end < length ? clip_right : 0);
  return result;
}

/// The loss of an alignment that grows from a hit before it is extended to a side: the left one comes first.
WS_HD inline std::int32_t lost_before(const SeedHit& hit, bool leftwards, std::int32_t start_score,
                                      const Scoring& scoring) {
  return static_cast<std::int32_t>(leftwards ? hit.length : hit.query_end()) * scoring.match - start_score;
}

/// Extends one side of a hit of a read. codes: in forward-strand orientation.
template <class Scratch>
WS_HD inline Extension extend_hit_side(const text::GenomeView& genome, const std::uint8_t* codes, std::uint32_t length,
                                       const SeedHit& hit, bool leftwards, std::int32_t start_score,
                                       const GapLimits& limits, const Scoring& scoring, const Scratch& scratch) {
  const auto left = static_cast<std::int32_t>(hit.query_begin), right = static_cast<std::int32_t>(hit.query_end());
  const Strand query = leftwards ? Strand{codes + left - 1, left, -1}
                                 : Strand{codes + right, static_cast<std::int32_t>(length) - right, 1};
  return extend_side(genome, range_of_contig(genome, hit.contig), query,
                     leftwards ? hit.genome_begin : hit.genome_end(), start_score,
                     limits.after(lost_before(hit, leftwards, start_score, scoring)), scoring, scratch);
}

/// Grows the alignment of one hit of a read. codes: in forward-strand orientation.
template <class Scratch>
WS_HD inline LocalAlignment extend_hit(const text::GenomeView& genome, const std::uint8_t* codes, std::uint32_t length,
                                       const SeedHit& hit, const GapLimits& limits, const Scoring& scoring,
                                       const Scratch& scratch) {
  return grow_hit(hit, length, scoring, [&](bool leftwards, std::int32_t start_score) {
    return extend_hit_side(genome, codes, length, hit, leftwards, start_score, limits, scoring, scratch);
  });
}

/// The limits of the extensions of a read with this best chain. If the chain leaves too few bases for a split
/// alignment, one that scores less by more than close_scores(), and by more than a proper pair makes up for, decides
/// nothing: gaps that lead only to such a one are not sought.
WS_HD inline GapLimits gap_limits(const Chain& best, std::uint32_t length, const AlignOptions& options) {
  const Scoring& scoring = options.scoring;
  const std::int32_t lost = static_cast<std::int32_t>(length) * scoring.match - best.score;
  const std::int32_t splits = static_cast<std::int32_t>(options.min_seed) * scoring.match;
  if (options.report_all || best.alt || lost >= splits) return {options.band};
  const std::int32_t close = close_scores(scoring);
  return {options.band, lost + 1 + (close > scoring.unpaired ? close : scoring.unpaired)};
}

/// Does an alignment already explain a hit, so that extending the hit gives the same alignment?
WS_HD inline bool explains(const LocalAlignment& alignment, const SeedHit& hit, std::int32_t band) {
  if (alignment.reverse != hit.reverse || alignment.contig != hit.contig) return false;
  if (hit.query_begin < alignment.query_begin || hit.query_end() > alignment.query_end) return false;
  if (hit.genome_begin < alignment.genome_begin || hit.genome_end() > alignment.genome_end) return false;
  const auto left = static_cast<std::int64_t>(alignment.genome_begin) - alignment.query_begin;
  const auto right = static_cast<std::int64_t>(alignment.genome_end) - alignment.query_end;
  const std::int64_t low = left < right ? left : right, high = left < right ? right : left;
  // A hit far off the alignment's diagonals may be a better one. In long reads, diagonals drift from those of the ends.
  const std::int64_t strays = (alignment.query_end - alignment.query_begin) / 50;
  const std::int64_t slack = band / 4 > strays ? band / 4 : strays;
  return hit.diagonal() >= low - slack && hit.diagonal() <= high + slack;
}

/// Did an alignment grow from a hit's diagonal, and does it begin and end there? One from another diagonal, with as
/// many inserted as deleted bases, may be worse than the ungapped one.
WS_HD inline bool is_on_diagonal(const LocalAlignment& alignment, const SeedHit& origin, const SeedHit& hit) {
  const auto left = static_cast<std::int64_t>(alignment.genome_begin) - alignment.query_begin;
  const auto right = static_cast<std::int64_t>(alignment.genome_end) - alignment.query_end;
  return left == right && hit.diagonal() == left && origin.diagonal() == left;
}

/// Does a gapped alignment grown from `origin` contain a hit but miss it, because it aligns the same read bases
/// elsewhere, and may the hit's own alignment need shorter gaps? In a tandem repeat, an alignment from one copy reaches
/// the flanking sequence by a gap of whole copies, one from another copy without a gap.
WS_HD inline bool misses_hit(const LocalAlignment& alignment, const SeedHit& origin, const SeedHit& hit) {
  const auto left = static_cast<std::int64_t>(alignment.genome_begin) - alignment.query_begin;
  const auto right = static_cast<std::int64_t>(alignment.genome_end) - alignment.query_end;
  const auto apart = [](std::int64_t a, std::int64_t b) { return a < b ? b - a : a - b; };
  const std::int64_t off_left = apart(hit.diagonal(), left), off_right = apart(hit.diagonal(), right);
  return (off_left < off_right ? off_left : off_right) < apart(left, right) && origin.diagonal() != hit.diagonal() &&
         compete(origin.query_begin, origin.query_end(), hit.query_begin, hit.query_end());
}

/// Mixes the bits of a number (the finalizer of MurmurHash3), so that tie breaks are evenly distributed.
WS_HD inline std::uint64_t mix_bits(std::uint64_t x) {
  x = (x ^ x >> 33) * 0xff51afd7ed558ccdULL;
  x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53ULL;
  return x ^ x >> 33;
}

/// Breaks ties between equal alignments of the read with this number.
WS_HD inline std::uint64_t tie_hash(const LocalAlignment& alignment, std::uint64_t read_number) {
  return mix_bits(mix_bits(alignment.genome_begin * 2 + alignment.reverse) ^ read_number);
}

/// Is extending `hit` unnecessary given an alignment that grew from `origin`? Yes if that explains it.
/// ungapped_score(): the score of the hit's diagonal.
template <class UngappedScore>
WS_HD inline bool is_known(const LocalAlignment& alignment, const SeedHit& origin, const SeedHit& hit,
                           std::int32_t band, UngappedScore ungapped_score) {
  if (!explains(alignment, hit, band)) return false;
  if (is_on_diagonal(alignment, origin, hit)) return true;
  if (misses_hit(alignment, origin, hit)) return false;
  return alignment.score >= ungapped_score();  // else the hit may lead to a better alignment
}

/// The hits of a chain, the longest first. order: room for all. Returns their number.
WS_HD inline std::uint32_t hits_by_length(const Chain& chain, const SeedHit* hits, std::uint32_t* order) {
  std::uint32_t count = 0;
  for (std::uint32_t h = chain.first; h != no_hit; h = hits[h].next) order[count++] = h;
  small_sort(order, count, [&](std::uint32_t a, std::uint32_t b) {
    return hits[a].length != hits[b].length ? hits[a].length > hits[b].length : a < b;
  });
  return count;
}

/// Converts the longest exact run on a diagonal of a window that begins at `window_begin`, see mate_rescue_core.hpp, to
/// a hit.
WS_HD inline SeedHit rescued_hit(const ExactRun& run, GenomePos window_begin, std::uint32_t contig, bool reversed) {
  SeedHit hit;
  hit.genome_begin = window_begin + run.window_begin;
  hit.query_begin = run.read_begin;
  hit.length = run.length;
  hit.contig = contig;
  hit.reverse = reversed;
  return hit;
}

/// Completes the alignment grown from a rescued hit.
WS_HD inline LocalAlignment rescued_alignment(LocalAlignment grown, std::uint64_t mate_number,
                                              const AlignOptions& options) {
  grown.tie = tie_hash(grown, mate_number);
  grown.alt = options.is_alt(grown.contig);
  return grown;
}

/// Does a rescued alignment score at least as much as a minimal seed?
WS_HD inline bool passes_min_score(const LocalAlignment& found, const AlignOptions& options) {
  return found.score >= static_cast<std::int32_t>(options.min_seed) * options.scoring.match;
}

/// The first one in the order of hits_by_length().
WS_HD inline std::uint32_t longest_hit(const Chain& chain, const SeedHit* hits) {
  std::uint32_t best = chain.first;
  for (std::uint32_t h = hits[chain.first].next; h != no_hit; h = hits[h].next) {
    if (hits[h].length > hits[best].length || (hits[h].length == hits[best].length && h < best)) best = h;
  }
  return best;
}

/// Alignments of one read as they are added, and the hit of each. The caller owns the memory.
struct GrownAlignments {
  Alignment* alignments = nullptr;
  std::uint32_t* origins = nullptr;
  std::uint32_t count = 0;
};

/// Extends the hits of a chain that no alignment explains yet, the longest first. Appends the alignments to `grown`,
/// which has room for all hits. order: room for the chain's hits. ungapped_score(h): the score of the diagonal of
/// hits[h]. extended(h, longest): extend_hit() of hits[h]; longest: whether it is the chain's longest hit.
template <class UngappedScore, class Extended>
WS_HD inline void grow_chain(const Chain& chain, const SeedHit* hits, std::uint32_t* order, std::uint64_t read_number,
                             std::int32_t band, UngappedScore ungapped_score, Extended extended,
                             GrownAlignments& grown) {
  const std::uint32_t count = hits_by_length(chain, hits, order);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t h = order[i];
    bool known = false;
    for (std::uint32_t a = 0; a < grown.count && !known; ++a) {
      known = is_known(grown.alignments[a], hits[grown.origins[a]], hits[h], band, [&] { return ungapped_score(h); });
    }
    if (known) continue;
    LocalAlignment found = extended(h, i == 0);
    found.tie = tie_hash(found, read_number);
    found.alt = chain.alt;
    grown.alignments[grown.count] = Alignment(found);
    grown.origins[grown.count++] = h;
  }
}

}  // namespace warpseed::align
