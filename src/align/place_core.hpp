// From a chain's hit to an alignment: extension on both sides, and the ranking of a read's alignments.
#pragma once

#include <cstdint>

#include "align/alignment.hpp"
#include "align/chain_core.hpp"
#include "align/extend_core.hpp"
#include "align/insert_core.hpp"
#include "align/rescue_core.hpp"
#include "text/genome_core.hpp"

namespace warpseed {

/// Where the genome beside a hit is unpacked; the caller owns the memory.
struct GenomeWindow {
  Strided<std::uint8_t> codes;  // [genome_reach(read length)]

  /// `length` bases from `anchor` on, or those before it from the last to the first.
  WS_HD Strand fetch(const GenomeView& genome, GenomePos anchor, std::int32_t length, bool leftwards) const {
    const GenomePos from = leftwards ? anchor - static_cast<GenomePos>(length) : anchor;
    fetch_codes(genome, from, from + static_cast<GenomePos>(length), codes);
    return leftwards ? Strand{&codes[length - 1], length, -codes.stride} : Strand{codes.first, length, codes.stride};
  }

  WS_HD Extension ungapped(const Strand& query, const Strand& genome, std::int32_t start_score, const Scoring& scoring,
                           std::int32_t& loss) const {
    return extend_ungapped(query, genome, start_score, scoring, loss);
  }
};

/// The programmes of an extension that is made cell by cell, with their scratch.
struct ExtendScratch : GenomeWindow {
  Strided<ExtensionCell> row;  // [read length + 2]

  WS_HD ExtendScratch(Strided<std::uint8_t> window, Strided<ExtensionCell> cells) : GenomeWindow{window}, row(cells) {}

  WS_HD Extension banded(const Strand& query, const Strand& genome, std::int32_t start_score, std::int32_t band,
                         const Scoring& scoring) const {
    return extend_banded(query, genome, start_score, band, scoring, row);
  }
};

WS_HD inline GenomeRange range_of_contig(const GenomeView& genome, std::uint32_t contig) {
  return {genome.contig_begins[contig], genome.contig_begins[contig + 1]};
}

/// Extends over query codes [0, query_length) leftwards from genome position `anchor`, or rightwards.
/// Scratch: ExtendScratch, or what has its members.
template <class Scratch>
WS_HD inline Extension extend_side(const GenomeView& genome, const GenomeRange& contig, const Strand& query,
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

/// The alignment that grows from one hit of a read with these codes (turned to the forward strand).
template <class Scratch>
WS_HD inline Alignment extend_hit(const GenomeView& genome, const std::uint8_t* codes, std::uint32_t length,
                                  const Hit& hit, const AlignOptions& options, const Scratch& scratch) {
  const Scoring& scoring = options.scoring;
  const GenomeRange contig = range_of_contig(genome, hit.contig);
  Alignment result;
  result.contig = hit.contig, result.reverse = hit.reverse;
  result.query_begin = hit.query_begin, result.query_end = hit.query_end();
  result.genome_begin = hit.genome_begin, result.genome_end = hit.genome_end();
  result.score = result.path_score = static_cast<std::int32_t>(hit.length) * scoring.match;
  // The read's 5' end is the left one of a forward and the right one of a reverse alignment.
  const std::int32_t clip_left = hit.reverse ? scoring.clip_end : scoring.clip_begin;
  const std::int32_t clip_right = hit.reverse ? scoring.clip_begin : scoring.clip_end;
  if (hit.query_begin > 0) {
    const Strand left = {codes + hit.query_begin - 1, static_cast<std::int32_t>(hit.query_begin), -1};
    const Extension found =
        extend_side(genome, contig, left, hit.genome_begin, result.score, options.band, scoring, scratch);
    const bool full = reaches_end(found, clip_left);
    result.query_begin = full ? 0 : hit.query_begin - static_cast<std::uint32_t>(found.best_query);
    result.genome_begin -= static_cast<GenomePos>(full ? found.full_genome : found.best_genome);
    result.path_score = full ? found.full_score : found.best_score;
    result.score = found.best_score;
  }
  if (hit.query_end() < length) {
    const Strand right = {codes + hit.query_end(), static_cast<std::int32_t>(length - hit.query_end()), 1};
    const Extension found =
        extend_side(genome, contig, right, hit.genome_end(), result.score, options.band, scoring, scratch);
    const bool full = reaches_end(found, clip_right);
    result.query_end = full ? length : hit.query_end() + static_cast<std::uint32_t>(found.best_query);
    result.genome_end += static_cast<GenomePos>(full ? found.full_genome : found.best_genome);
    result.path_score += (full ? found.full_score : found.best_score) - result.score;
    result.score = found.best_score;
  }
  result.end_loss = result.score - result.path_score + (result.query_begin > 0 ? clip_left : 0) +
                    (result.query_end < length ? clip_right : 0);
  return result;
}

/// Does an alignment explain a hit already, so that growing it again would give the same?
WS_HD inline bool explains(const Alignment& alignment, const Hit& hit, std::int32_t band) {
  if (alignment.reverse != hit.reverse || alignment.contig != hit.contig) return false;
  if (hit.query_begin < alignment.query_begin || hit.query_end() > alignment.query_end) return false;
  if (hit.genome_begin < alignment.genome_begin || hit.genome_end() > alignment.genome_end) return false;
  const auto left = static_cast<std::int64_t>(alignment.genome_begin) - alignment.query_begin;
  const auto right = static_cast<std::int64_t>(alignment.genome_end) - alignment.query_end;
  const std::int64_t low = left < right ? left : right, high = left < right ? right : left;
  const std::int64_t slack = band / 4;  // a hit far off every diagonal of the alignment may be a better one
  return hit.diagonal() >= low - slack && hit.diagonal() <= high + slack;
}

/// Does an alignment without gaps, or with as many of either kind, lie on a hit's diagonal?
WS_HD inline bool is_on_diagonal(const Alignment& alignment, const Hit& hit) {
  const auto left = static_cast<std::int64_t>(alignment.genome_begin) - alignment.query_begin;
  const auto right = static_cast<std::int64_t>(alignment.genome_end) - alignment.query_end;
  return left == right && hit.diagonal() == left;
}

/// Does an alignment with gaps, grown from `origin`, pass by a hit within it, because it pairs the same read bases with
/// others of the genome, and lies so that its own alignment may need shorter gaps? In an array of repeats the alignment
/// from one copy reaches what lies beside the array by a gap of whole copies, that from another copy without.
WS_HD inline bool passes_by(const Alignment& alignment, const Hit& origin, const Hit& hit) {
  const auto left = static_cast<std::int64_t>(alignment.genome_begin) - alignment.query_begin;
  const auto right = static_cast<std::int64_t>(alignment.genome_end) - alignment.query_end;
  const auto apart = [](std::int64_t a, std::int64_t b) { return a < b ? b - a : a - b; };
  const std::int64_t off_left = apart(hit.diagonal(), left), off_right = apart(hit.diagonal(), right);
  return (off_left < off_right ? off_left : off_right) < apart(left, right) && origin.diagonal() != hit.diagonal() &&
         compete(origin.query_begin, origin.query_end(), hit.query_begin, hit.query_end());
}

/// Spreads the bits of a number (the finalizer of MurmurHash3), so that equal places are dealt out evenly.
WS_HD inline std::uint64_t mix(std::uint64_t x) {
  x = (x ^ x >> 33) * 0xff51afd7ed558ccdULL;
  x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53ULL;
  return x ^ x >> 33;
}

/// Decides between equal alignments of the read with this number.
WS_HD inline std::uint64_t tie_of(const Alignment& alignment, std::uint64_t read_number) {
  return mix(mix(alignment.genome_begin * 2 + alignment.reverse) ^ read_number);
}

/// Is growing `hit` worth while beside an alignment that grew from `origin`? Not if that explains it. promise(): what
/// the hit's diagonal scores.
template <class Promise>
WS_HD inline bool is_known(const Alignment& alignment, const Hit& origin, const Hit& hit, std::int32_t band,
                           Promise promise) {
  if (!explains(alignment, hit, band)) return false;
  if (is_on_diagonal(alignment, hit)) return true;
  if (passes_by(alignment, origin, hit)) return false;
  return alignment.score >= promise();  // else the hit is a way to something better
}

/// The hits of a chain, the longest first. order: room for them. Returns how many.
WS_HD inline std::uint32_t hits_by_length(const Chain& chain, const Hit* hits, std::uint32_t* order) {
  std::uint32_t count = 0;
  for (std::uint32_t h = chain.first; h != no_hit; h = hits[h].next) order[count++] = h;
  small_sort(order, count, [&](std::uint32_t a, std::uint32_t b) {
    return hits[a].length != hits[b].length ? hits[a].length > hits[b].length : a < b;
  });
  return count;
}

/// What grows from the longest exact run on a diagonal of a window, see rescue_core.hpp. codes: of the mate, turned to the
/// forward strand. Not worth keeping if its score is below that of a seed.
template <class Scratch>
WS_HD inline Alignment rescued_alignment(const GenomeView& genome, const std::uint8_t* codes, std::uint32_t length,
                                         const std::uint8_t* window, const GenomeRange& place, std::uint32_t diagonal,
                                         std::uint32_t contig, bool turned, std::uint64_t mate_number,
                                         const AlignOptions& options, const Scratch& scratch) {
  const ExactRun run =
      longest_run(codes, length, window, static_cast<std::uint32_t>(place.end - place.begin), diagonal);
  Hit hit;
  hit.genome_begin = place.begin + run.window_begin;
  hit.query_begin = run.read_begin;
  hit.length = run.length;
  hit.contig = contig;
  hit.reverse = turned;
  Alignment found = extend_hit(genome, codes, length, hit, options, scratch);
  found.tie = tie_of(found, mate_number);
  found.alt = options.is_alt(contig);
  return found;
}

/// Is a rescued alignment worth keeping?
WS_HD inline bool worth_keeping(const Alignment& found, const AlignOptions& options) {
  return found.score >= static_cast<std::int32_t>(options.min_seed) * options.scoring.match;
}

/// The one that hits_by_length() puts first.
WS_HD inline std::uint32_t longest_hit(const Chain& chain, const Hit* hits) {
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
template <class Promise, class Extended>
WS_HD inline void grow_chain(const Chain& chain, const Hit* hits, std::uint32_t* order, std::uint64_t read_number,
                             std::int32_t band, Promise promise, Extended extended, GrownAlignments& grown) {
  const std::uint32_t count = hits_by_length(chain, hits, order);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t h = order[i];
    bool known = false;
    for (std::uint32_t a = 0; a < grown.count && !known; ++a) {
      known = is_known(grown.alignments[a], hits[grown.origins[a]], hits[h], band, [&] { return promise(h); });
    }
    if (known) continue;
    Alignment found = extended(h, i == 0);
    found.tie = tie_of(found, read_number);
    found.alt = chain.alt;
    grown.alignments[grown.count] = found;
    grown.origins[grown.count++] = h;
  }
}

/// Two alignments that are one: they share an end, or nearly all their bases, in read and genome.
WS_HD inline bool same_place(const Alignment& a, const Alignment& b) {
  if (a.reverse != b.reverse || a.contig != b.contig) return false;
  if (a.genome_begin == b.genome_begin && a.query_begin == b.query_begin) return true;
  if (a.genome_end == b.genome_end && a.query_end == b.query_end) return true;
  const std::int64_t query_shared = overlap(a.query_begin, a.query_end, b.query_begin, b.query_end);
  const std::int64_t genome_shared =
      overlap(static_cast<std::int64_t>(a.genome_begin), static_cast<std::int64_t>(a.genome_end),
              static_cast<std::int64_t>(b.genome_begin), static_cast<std::int64_t>(b.genome_end));
  const auto shorter = [](std::int64_t x, std::int64_t y) { return x < y ? x : y; };
  const std::int64_t query_span = shorter(a.query_end - a.query_begin, b.query_end - b.query_begin);
  const std::int64_t genome_span = shorter(static_cast<std::int64_t>(a.genome_end - a.genome_begin),
                                           static_cast<std::int64_t>(b.genome_end - b.genome_begin));
  return query_shared * 100 > query_span * 95 && genome_shared * 100 > genome_span * 95;
}

/// By score; of equals the one off ALT contigs first, then the one that fits the read's ends better.
WS_HD inline bool scores_before(const Alignment& a, const Alignment& b) {
  if (a.score != b.score) return a.score > b.score;
  if (a.alt != b.alt) return b.alt;
  if (a.end_loss != b.end_loss) return a.end_loss < b.end_loss;
  if (a.tie != b.tie) return a.tie < b.tie;
  if (a.genome_begin != b.genome_begin) return a.genome_begin < b.genome_begin;
  if (a.genome_end != b.genome_end) return a.genome_end < b.genome_end;
  if (a.query_begin != b.query_begin) return a.query_begin < b.query_begin;
  return a.query_end < b.query_end;
}

/// Places in the primary assembly come before those on ALT contigs, each by score.
WS_HD inline bool ranks_before(const Alignment& a, const Alignment& b) {
  return a.alt != b.alt ? b.alt : scores_before(a, b);
}

/// Sorts alignments [count] by rank and drops those that are at the place of a better one. Returns how many stay.
WS_HD inline std::uint32_t rank_alignments(Alignment* alignments, std::uint32_t count) {
  small_sort(alignments, count, [](const Alignment& a, const Alignment& b) { return ranks_before(a, b); });
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    bool fresh = true;
    for (std::uint32_t j = 0; j < kept && fresh; ++j) fresh = !same_place(alignments[i], alignments[j]);
    if (fresh) alignments[kept++] = alignments[i];
  }
  return kept;
}

/// Do two alignments explain the same bases of a read?
WS_HD inline bool compete(const Alignment& a, const Alignment& b, std::uint32_t read_length) {
  const std::uint32_t begin_a = read_begin(a.reverse, a.query_begin, a.query_end, read_length);
  const std::uint32_t begin_b = read_begin(b.reverse, b.query_begin, b.query_end, read_length);
  return compete(begin_a, begin_a + a.query_end - a.query_begin, begin_b, begin_b + b.query_end - b.query_begin);
}

/// The first winner among alignments [begin, end) that `mine` competes with, or nobody. A winner is one for which
/// `better`, competes_with or listed_with, names nobody.
WS_HD inline std::int32_t first_rival(const Alignment* alignments, std::uint32_t begin, std::uint32_t end,
                                      const Alignment& mine, std::uint32_t read_length,
                                      std::int32_t Alignment::*better) {
  for (std::uint32_t i = begin; i < end; ++i) {
    if (alignments[i].*better == nobody && compete(mine, alignments[i], read_length))
      return static_cast<std::int32_t>(i);
  }
  return nobody;
}

/// How far below an alignment another one is nearly as good: one mismatch or one gap.
WS_HD inline std::int32_t near_score(const Scoring& scoring) {
  std::int32_t near = scoring.match + scoring.mismatch;
  const std::int32_t deletion = scoring.deletion_open + scoring.deletion_extend;
  const std::int32_t insertion = scoring.insertion_open + scoring.insertion_extend;
  near = near > deletion ? near : deletion;
  return near > insertion ? near : insertion;
}

/// Counts a competitor of `winner`; they come by score.
WS_HD inline void count_competitor(Alignment& winner, std::int32_t score, std::int32_t near) {
  if (winner.second_score == 0) winner.second_score = score;
  if (winner.score - score <= near) ++winner.second_count;
}

/// Where there are ALT contigs: which better alignment on any contig each competes with. Those off ALT have been
/// compared among themselves, which their second scores keep to; here they learn of a better one on an ALT contig.
/// alignments [0, primary_count) are off ALT contigs, the others on them.
WS_HD inline void mark_alt_competitors(Alignment* alignments, std::uint32_t primary_count, std::uint32_t count,
                                       std::uint32_t read_length, std::int32_t near) {
  std::uint32_t primary = 0, alt = primary_count;  // what is next in both; the two lists are gone through as one
  while (primary < primary_count || alt < count) {
    const bool take_alt =
        primary == primary_count || (alt < count && scores_before(alignments[alt], alignments[primary]));
    Alignment& mine = alignments[take_alt ? alt : primary];
    const std::int32_t off = first_rival(alignments, 0, primary, mine, read_length, &Alignment::listed_with);
    const std::int32_t on = first_rival(alignments, primary_count, alt, mine, read_length, &Alignment::listed_with);
    const bool on_leads = off == nobody || (on != nobody && scores_before(alignments[on], alignments[off]));
    mine.listed_with = on_leads ? on : off;
    if (mine.listed_with != nobody && alignments[mine.listed_with].alt) {
      Alignment& winner = alignments[mine.listed_with];
      count_competitor(winner, mine.score, near);
      if (!mine.alt) mine.alt_score = winner.score;
    }
    if (mine.alt) mine.competes_with = mine.listed_with;
    ++(take_alt ? alt : primary);
  }
}

/// Tells every alignment which better one it competes with, and every winner what its best competitor scored. What lies
/// on ALT contigs makes no place in the primary assembly doubtful. Alignments must be ranked.
WS_HD inline void mark_competitors(Alignment* alignments, std::uint32_t count, std::uint32_t read_length,
                                   const Scoring& scoring) {
  const std::int32_t near = near_score(scoring);
  std::uint32_t primary_count = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    Alignment& mine = alignments[i];
    mine.second_score = 0, mine.second_count = 0, mine.alt_score = 0;
    mine.competes_with = mine.listed_with = nobody;
    if (mine.alt) continue;
    mine.competes_with = first_rival(alignments, 0, primary_count++, mine, read_length, &Alignment::competes_with);
    if (mine.competes_with != nobody) count_competitor(alignments[mine.competes_with], mine.score, near);
  }
  if (primary_count < count) return mark_alt_competitors(alignments, primary_count, count, read_length, near);
  for (std::uint32_t i = 0; i < count; ++i) alignments[i].listed_with = alignments[i].competes_with;
}

}  // namespace warpseed
