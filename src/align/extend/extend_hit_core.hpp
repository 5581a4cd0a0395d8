// From a chain's hit to an alignment: extension on both sides.
#pragma once

#include <cstdint>

#include "align/alignment.hpp"
#include "align/chain/chain_core.hpp"
#include "align/extend/banded_dp_core.hpp"
#include "align/pair/insert_size_core.hpp"
#include "align/pair/mate_rescue_core.hpp"
#include "text/genome_core.hpp"

namespace warpseed::align {

/// Where the genome beside a hit is unpacked; the caller owns the memory.
struct GenomeWindow {
  std::uint8_t* codes = nullptr;  // [genome_reach(read length)]

  /// `length` bases from `anchor` on, or those before it from the last to the first.
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

/// Extends over query codes [0, query_length) leftwards from genome position `anchor`, or rightwards.
/// Scratch: what fetches the genome and runs the programmes, see extend(): SimdExtender, or a device's warp.
template <class Scratch>
WS_HD inline Extension extend_side(const text::GenomeView& genome, const GenomeRange& contig, const Strand& query,
                                   GenomePos anchor, std::int32_t start_score, std::int32_t band,
                                   const Scoring& scoring, const Scratch& scratch) {
  const bool leftwards = query.step < 0;
  const auto available = static_cast<std::int64_t>(leftwards ? anchor - contig.begin : contig.end - anchor);
  const auto fetch = [&](std::int64_t wanted) {
    return scratch.fetch(genome, anchor, static_cast<std::int32_t>(wanted < available ? wanted : available), leftwards);
  };
  return extend(query, fetch, start_score, band, scoring, scratch);
}

/// Is the end of the read worth its cost, against the best clipped end?
WS_HD inline bool reaches_end(const Extension& extension, std::int32_t clip) {
  return extension.full_score > 0 && extension.full_score > extension.best_score - clip;
}

/// The alignment that grows from one hit of a read. side(leftwards, start_score): the Extension to that side.
template <class Side>
WS_HD inline Alignment grow_hit(const SeedHit& hit, std::uint32_t length, const Scoring& scoring, Side side) {
  Alignment result;
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

/// The alignment that grows from one hit of a read with these codes (turned to the forward strand).
template <class Scratch>
WS_HD inline Alignment extend_hit(const text::GenomeView& genome, const std::uint8_t* codes, std::uint32_t length,
                                  const SeedHit& hit, const AlignOptions& options, const Scratch& scratch) {
  const GenomeRange contig = range_of_contig(genome, hit.contig);
  return grow_hit(hit, length, options.scoring, [&](bool leftwards, std::int32_t start_score) {
    const auto left = static_cast<std::int32_t>(hit.query_begin), right = static_cast<std::int32_t>(hit.query_end());
    const Strand query = leftwards ? Strand{codes + left - 1, left, -1}
                                   : Strand{codes + right, static_cast<std::int32_t>(length) - right, 1};
    return extend_side(genome, contig, query, leftwards ? hit.genome_begin : hit.genome_end(), start_score,
                       options.band, options.scoring, scratch);
  });
}

/// Does an alignment explain a hit already, so that growing it again would give the same?
WS_HD inline bool explains(const Alignment& alignment, const SeedHit& hit, std::int32_t band) {
  if (alignment.reverse != hit.reverse || alignment.contig != hit.contig) return false;
  if (hit.query_begin < alignment.query_begin || hit.query_end() > alignment.query_end) return false;
  if (hit.genome_begin < alignment.genome_begin || hit.genome_end() > alignment.genome_end) return false;
  const auto left = static_cast<std::int64_t>(alignment.genome_begin) - alignment.query_begin;
  const auto right = static_cast<std::int64_t>(alignment.genome_end) - alignment.query_end;
  const std::int64_t low = left < right ? left : right, high = left < right ? right : left;
  // A hit far off every diagonal of the alignment may be a better one; that of a long read strays from those of its ends.
  const std::int64_t strays = (alignment.query_end - alignment.query_begin) / 50;
  const std::int64_t slack = band / 4 > strays ? band / 4 : strays;
  return hit.diagonal() >= low - slack && hit.diagonal() <= high + slack;
}

/// Did an alignment grow from a hit's diagonal, and does it begin and end there? One that grew from another diagonal and
/// has as many inserted as deleted bases may be worse than that without gaps.
WS_HD inline bool is_on_diagonal(const Alignment& alignment, const SeedHit& origin, const SeedHit& hit) {
  const auto left = static_cast<std::int64_t>(alignment.genome_begin) - alignment.query_begin;
  const auto right = static_cast<std::int64_t>(alignment.genome_end) - alignment.query_end;
  return left == right && hit.diagonal() == left && origin.diagonal() == left;
}

/// Does an alignment with gaps, grown from `origin`, pass by a hit within it, because it pairs the same read bases with
/// others of the genome, and lies so that its own alignment may need shorter gaps? In an array of repeats the alignment
/// from one copy reaches what lies beside the array by a gap of whole copies, that from another copy without.
WS_HD inline bool passes_by(const Alignment& alignment, const SeedHit& origin, const SeedHit& hit) {
  const auto left = static_cast<std::int64_t>(alignment.genome_begin) - alignment.query_begin;
  const auto right = static_cast<std::int64_t>(alignment.genome_end) - alignment.query_end;
  const auto apart = [](std::int64_t a, std::int64_t b) { return a < b ? b - a : a - b; };
  const std::int64_t off_left = apart(hit.diagonal(), left), off_right = apart(hit.diagonal(), right);
  return (off_left < off_right ? off_left : off_right) < apart(left, right) && origin.diagonal() != hit.diagonal() &&
         compete(origin.query_begin, origin.query_end(), hit.query_begin, hit.query_end());
}

/// Spreads the bits of a number (the finalizer of MurmurHash3), so that equal places are dealt out evenly.
WS_HD inline std::uint64_t mix_bits(std::uint64_t x) {
  x = (x ^ x >> 33) * 0xff51afd7ed558ccdULL;
  x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53ULL;
  return x ^ x >> 33;
}

/// Decides between equal alignments of the read with this number.
WS_HD inline std::uint64_t tie_hash(const Alignment& alignment, std::uint64_t read_number) {
  return mix_bits(mix_bits(alignment.genome_begin * 2 + alignment.reverse) ^ read_number);
}

/// Is growing `hit` worth while beside an alignment that grew from `origin`? Not if that explains it. promise(): what
/// the hit's diagonal scores.
template <class UngappedScore>
WS_HD inline bool is_known(const Alignment& alignment, const SeedHit& origin, const SeedHit& hit, std::int32_t band,
                           UngappedScore ungapped_score) {
  if (!explains(alignment, hit, band)) return false;
  if (is_on_diagonal(alignment, origin, hit)) return true;
  if (passes_by(alignment, origin, hit)) return false;
  return alignment.score >= ungapped_score();  // else the hit is a way to something better
}

/// The hits of a chain, the longest first. order: room for them. Returns how many.
WS_HD inline std::uint32_t hits_by_length(const Chain& chain, const SeedHit* hits, std::uint32_t* order) {
  std::uint32_t count = 0;
  for (std::uint32_t h = chain.first; h != no_hit; h = hits[h].next) order[count++] = h;
  small_sort(order, count, [&](std::uint32_t a, std::uint32_t b) {
    return hits[a].length != hits[b].length ? hits[a].length > hits[b].length : a < b;
  });
  return count;
}

/// The longest exact run on a diagonal of a window that begins at `window_begin`, see mate_rescue_core.hpp, as a hit.
WS_HD inline SeedHit rescued_hit(const ExactRun& run, GenomePos window_begin, std::uint32_t contig, bool reversed) {
  SeedHit hit;
  hit.genome_begin = window_begin + run.window_begin;
  hit.query_begin = run.read_begin;
  hit.length = run.length;
  hit.contig = contig;
  hit.reverse = reversed;
  return hit;
}

/// What has grown from that.
WS_HD inline Alignment rescued_alignment(Alignment grown, std::uint64_t mate_number, const AlignOptions& options) {
  grown.tie = tie_hash(grown, mate_number);
  grown.alt = options.is_alt(grown.contig);
  return grown;
}

/// Is a rescued alignment worth keeping? It scores what a seed does, or more.
WS_HD inline bool passes_min_score(const Alignment& found, const AlignOptions& options) {
  return found.score >= static_cast<std::int32_t>(options.min_seed) * options.scoring.match;
}

/// The one that hits_by_length() puts first.
WS_HD inline std::uint32_t longest_hit(const Chain& chain, const SeedHit* hits) {
  std::uint32_t best = chain.first;
  for (std::uint32_t h = hits[chain.first].next; h != no_hit; h = hits[h].next) {
    if (hits[h].length > hits[best].length || (hits[h].length == hits[best].length && h < best)) best = h;
  }
  return best;
}

/// Alignments of one read as they grow, and the hit of each. The caller owns the memory.
struct GrownAlignments {
  Alignment* alignments = nullptr;
  std::uint32_t* origins = nullptr;
  std::uint32_t count = 0;
};

/// Grows what the hits of a chain lead to, the longest first, and adds it to `grown`, which has room for all of them.
/// order: room for the chain's hits. promise(h): what the diagonal of hits[h] scores. extended(h, longest): extend_hit()
/// of hits[h], which is the chain's longest or not.
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
    Alignment found = extended(h, i == 0);
    found.tie = tie_hash(found, read_number);
    found.alt = chain.alt;
    grown.alignments[grown.count] = found;
    grown.origins[grown.count++] = h;
  }
}

}  // namespace warpseed::align
