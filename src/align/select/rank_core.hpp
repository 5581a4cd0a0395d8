// Ranking of one read's alignments: their order, duplicates and competitors.
#pragma once

#include <cstdint>

#include "align/align_options.hpp"
#include "align/alignment.hpp"
#include "align/chain/chain_core.hpp"
#include "align/select/tie_break_core.hpp"
#include "core/small_sort.hpp"

namespace warpseed::align {

/// Are two alignments duplicates? They share an end, or nearly all their bases, in read and genome.
WS_HD inline bool same_position(const LocalAlignment& a, const LocalAlignment& b) {
  if (a.reverse != b.reverse || a.contig != b.contig) return false;
  if (a.genome_end <= b.genome_begin || b.genome_end <= a.genome_begin) return false;  // nearly always
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

/// By score; ties: off ALT contigs first, then the lower clip penalty.
WS_HD inline bool scores_before(const LocalAlignment& a, const LocalAlignment& b) {
  if (a.score != b.score) return a.score > b.score;
  if (a.alt != b.alt) return b.alt;
  if (a.clip_penalty != b.clip_penalty) return a.clip_penalty < b.clip_penalty;
  if (a.tie != b.tie) return a.tie < b.tie;
  if (a.genome_begin != b.genome_begin) return a.genome_begin < b.genome_begin;
  if (a.genome_end != b.genome_end) return a.genome_end < b.genome_end;
  if (a.query_begin != b.query_begin) return a.query_begin < b.query_begin;
  return a.query_end < b.query_end;
}

/// Alignments in the primary assembly come before those on ALT contigs, each by score.
WS_HD inline bool ranks_before(const LocalAlignment& a, const LocalAlignment& b) {
  return a.alt != b.alt ? b.alt : scores_before(a, b);
}

/// Counts the best of the ranked alignments. Cost: linear in the result.
WS_HD inline BestAlignments best_alignments(const Alignment* ranked, std::uint32_t count) {
  BestAlignments best;
  while (best.tied < count && is_tied(ranked[0], ranked[best.tied])) ++best.tied;
  best.scored = best.tied;
  while (best.scored < count && ranked[0].score == ranked[best.scored].score) ++best.scored;
  if (count > 0 && ranked[count - 1].alt) best.scored = count;
  return best;
}

/// Does only a tie break decide which of the ranked alignments comes first?
WS_HD inline bool is_tie_break_winner(const Alignment* ranked, std::uint32_t count) {
  return count > 1 && is_tied(ranked[0], ranked[1]);
}

/// The lowest tie break hash of every step-th tied alignment, starting at the first-th.
WS_HD inline LowestTieBreak lowest_tie_break(const Alignment* ranked, const BestAlignments& best,
                                             std::uint64_t read_number, std::uint32_t first, std::uint32_t step) {
  LowestTieBreak lowest;
  for (std::uint32_t i = first; i < best.tied; i += step)
    lowest.add({i, tie_break_hash(ranked[i], ranked, best.scored, read_number)});
  return lowest;
}

/// Swaps the index-th alignment with the first one.
WS_HD inline void swap_to_front(Alignment* ranked, std::uint32_t index) {
  const Alignment drawn = ranked[index];
  ranked[index] = ranked[0], ranked[0] = drawn;
}

/// If the best ranked alignments tie, puts the one that the tie break chooses first.
WS_HD inline void break_ties(Alignment* ranked, std::uint32_t count, std::uint64_t read_number) {
  if (!is_tie_break_winner(ranked, count)) return;
  swap_to_front(ranked, lowest_tie_break(ranked, best_alignments(ranked, count), read_number, 0, 1).index);
}

/// No filter of duplicates: each alignment is compared with all better ones.
struct NoTiles {
  WS_HD void add(const Alignment&) {}
  WS_HD bool may_overlap(const Alignment&) const { return true; }
};

/// Sorts alignments [count] by rank and drops duplicates of better ones. Returns how many are kept. tiles:
/// shows of most alignments that they overlap none of those added, see GenomeTiles.
template <class Tiles = NoTiles>
WS_HD inline std::uint32_t rank_alignments(Alignment* alignments, std::uint32_t count, std::uint64_t read_number,
                                           Tiles tiles = {}) {
  small_sort(alignments, count, [](const Alignment& a, const Alignment& b) { return ranks_before(a, b); });
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const bool near = tiles.may_overlap(alignments[i]);
    bool fresh = true;
    for (std::uint32_t j = 0; near && j < kept && fresh; ++j) fresh = !same_position(alignments[i], alignments[j]);
    if (!fresh) continue;
    tiles.add(alignments[i]);
    alignments[kept++] = alignments[i];
  }
  break_ties(alignments, kept, read_number);
  return kept;
}

/// Do two alignments explain the same bases of a read?
WS_HD inline bool compete(const LocalAlignment& a, const LocalAlignment& b, std::uint32_t read_length) {
  const std::uint32_t begin_a = read_begin(a.reverse, a.query_begin, a.query_end, read_length);
  const std::uint32_t begin_b = read_begin(b.reverse, b.query_begin, b.query_end, read_length);
  return compete(begin_a, begin_a + a.query_end - a.query_begin, begin_b, begin_b + b.query_end - b.query_begin);
}

/// The first winner among alignments [begin, end) that `mine` competes with, or no_alignment. A winner is one whose
/// `better`, secondary_to or alternative_of, is no_alignment.
WS_HD inline std::int32_t first_competitor(const Alignment* alignments, std::uint32_t begin, std::uint32_t end,
                                           const Alignment& mine, std::uint32_t read_length,
                                           std::int32_t Alignment::*better) {
  for (std::uint32_t i = begin; i < end; ++i) {
    if (alignments[i].*better == no_alignment && compete(mine, alignments[i], read_length))
      return static_cast<std::int32_t>(i);
  }
  return no_alignment;
}

/// The score difference within which another alignment counts as near-best: one mismatch or one gap.
WS_HD inline std::int32_t near_score(const Scoring& scoring) {
  std::int32_t near = scoring.match + scoring.mismatch;
  const std::int32_t deletion = scoring.deletion_open + scoring.deletion_extend;
  const std::int32_t insertion = scoring.insertion_open + scoring.insertion_extend;
  near = near > deletion ? near : deletion;
  return near > insertion ? near : insertion;
}

/// Counts a competitor of `winner`; they come by descending score.
WS_HD inline void count_competitor(Alignment& winner, std::int32_t score, std::int32_t near) {
  if (winner.second_score == 0) winner.second_score = score;
  if (winner.score - score <= near) ++winner.second_count;
}

/// Is a competitor good enough to be listed with the winner (XA)?
WS_HD inline bool is_alternative(const Alignment& other, const Alignment& winner, const AlignOptions& options) {
  return static_cast<float>(other.score) >= options.alternative_ratio * static_cast<float>(winner.score);
}

/// With ALT contigs: sets alternative_of, the better alignment on any contig that each competes with. Second scores of
/// alignments off ALT come from each other only; here they get alt_score if the better one is on an ALT contig.
/// alignments [0, primary_count) are off ALT contigs, the others on them.
WS_HD inline void mark_alt_competitors(Alignment* alignments, std::uint32_t primary_count, std::uint32_t count,
                                       std::uint32_t read_length, std::int32_t near) {
  std::uint32_t primary = 0, alt = primary_count;  // next in each list; the lists are merged
  while (primary < primary_count || alt < count) {
    const bool take_alt =
        primary == primary_count || (alt < count && scores_before(alignments[alt], alignments[primary]));
    Alignment& mine = alignments[take_alt ? alt : primary];
    const std::int32_t off = first_competitor(alignments, 0, primary, mine, read_length, &Alignment::alternative_of);
    const std::int32_t on =
        first_competitor(alignments, primary_count, alt, mine, read_length, &Alignment::alternative_of);
    const bool on_leads = off == no_alignment || (on != no_alignment && scores_before(alignments[on], alignments[off]));
    mine.alternative_of = on_leads ? on : off;
    if (mine.alternative_of != no_alignment && alignments[mine.alternative_of].alt) {
      Alignment& winner = alignments[mine.alternative_of];
      count_competitor(winner, mine.score, near);
      if (!mine.alt) mine.alt_score = winner.score;
    }
    if (mine.alt) mine.secondary_to = mine.alternative_of;
    ++(take_alt ? alt : primary);
  }
}

/// Sets for every alignment the better one that it competes with, and for every winner its second score. Alignments on
/// ALT contigs do not reduce the quality of one in the primary assembly. Alignments must be ranked.
WS_HD inline void mark_competitors(Alignment* alignments, std::uint32_t count, std::uint32_t read_length,
                                   const Scoring& scoring) {
  const std::int32_t near = near_score(scoring);
  std::uint32_t primary_count = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    Alignment& mine = alignments[i];
    mine.second_score = 0, mine.second_count = 0, mine.alt_score = 0;
    mine.secondary_to = mine.alternative_of = no_alignment;
    if (mine.alt) continue;
    mine.secondary_to = first_competitor(alignments, 0, primary_count++, mine, read_length, &Alignment::secondary_to);
    if (mine.secondary_to != no_alignment) count_competitor(alignments[mine.secondary_to], mine.score, near);
  }
  if (primary_count < count) return mark_alt_competitors(alignments, primary_count, count, read_length, near);
  for (std::uint32_t i = 0; i < count; ++i) alignments[i].alternative_of = alignments[i].secondary_to;
}

/// The length of the prefix of ranked alignments that records may report: winners and their alternatives.
WS_HD inline std::uint32_t reported_count(const Alignment* alignments, std::uint32_t count,
                                          const AlignOptions& options) {
  const auto is_reported = [&](const Alignment& mine) {
    if (mine.secondary_to == no_alignment) return true;  // pairing may report it even below the minimum score
    if (mine.score >= options.min_score && options.report_all) return true;
    return mine.alternative_of != no_alignment && is_alternative(mine, alignments[mine.alternative_of], options);
  };
  while (count > 1 && !is_reported(alignments[count - 1])) --count;
  return count;
}

}  // namespace warpseed::align
