// Ungapped extension of a hit from packed words, where it is provably the best.
//
// Most extensions meet a few mismatches. A better path with a gap must run on other diagonals, with long exact runs
// between few events, each a gap or a mismatch. This computes how far such paths can get on all diagonals together,
// without memory or a DP. A yes is certain; after a no, wavefronts decide (wavefront_core.hpp).
#pragma once

#include <cstdint>

#include "align/chain/diagonal_core.hpp"
#include "align/extend/banded_dp_core.hpp"
#include "align/extend/extend_hit_core.hpp"
#include "text/window_before.hpp"

namespace warpseed::align {

constexpr std::int32_t max_ungapped_mismatches = 8;  // listed; with more, a DP is probably needed

/// A read and the genome next to one of its hits, walked from the hit outwards.
struct PackedWalk {
  text::PackedView query, text;
  std::uint64_t query_at = 0;  // the first base of the walk; leftwards: the base after it
  TextPos position = 0;        // likewise
  std::int32_t length = 0;     // of the query on this side
  bool leftwards = false;

  /// The first query base at or after `at` that differs from the genome base `shift` further; the query's end if none.
  WS_HD std::int32_t end_of_run(std::int32_t at, std::int32_t shift) const {
    for (; at < length; at += 32) {
      const std::uint64_t other = leftwards ? before(query, query_at, at) ^ before(text, position, at + shift)
                                            : query.window(query_at + static_cast<std::uint64_t>(at)) ^
                                                  text.window(position + static_cast<std::uint64_t>(at + shift));
      const std::uint64_t differ = (other | other >> 1) & 0x5555555555555555ULL;
      if (differ == 0) continue;
      const std::int32_t end =
          at + static_cast<std::int32_t>(leftwards ? trailing_zeros(differ) : leading_zeros(differ)) / 2;
      return end < length ? end : length;
    }
    return length;
  }

  /// The 32 bases that end `back` bases before `from`.
  WS_HD static std::uint64_t before(const text::PackedView& bases, std::uint64_t from, std::int32_t back) {
    return text::window_before(bases, from - static_cast<std::uint64_t>(back));
  }
};

/// The mismatches of a walk, and its ungapped extension.
struct UngappedWalk {
  std::int32_t count = 0;                        // of mismatches; the first ones are listed
  std::int32_t at[max_ungapped_mismatches + 1];  // bases of the query before each; then, if all fit, the query's length
  UngappedExtension extension;                   // as extend_ungapped(); unless too_many()

  /// most: stops after this many mismatches and one more.
  WS_HD UngappedWalk(const PackedWalk& walk, std::int32_t start_score, const Scoring& scoring, std::int32_t most)
      : most_(most) {
    Extension& ends = extension.ends;
    ends.best_score = extension.lowest = start_score;
    const std::int32_t loss = scoring.mismatch + scoring.match;
    for (std::int32_t end = walk.end_of_run(0, 0);; end = walk.end_of_run(end + 1, 0)) {
      if (count <= max_ungapped_mismatches) at[count] = end;
      const std::int32_t score = start_score + end * scoring.match - count * loss;
      if (score > ends.best_score) ends.best_score = score, ends.best_query = ends.best_genome = end;
      if (end == walk.length) break;
      if (score - scoring.mismatch < extension.lowest) extension.lowest = score - scoring.mismatch;
      if (++count > most) return;
    }
    extension.loss = count * loss;
    ends.full_score = start_score + walk.length * scoring.match - extension.loss;
    ends.full_genome = walk.length;
  }
  WS_HD bool too_many() const { return count > most_; }

  /// Are as many mismatches listed as paths with a loss up to the search's may have?
  WS_HD bool lists_enough(const GapSearch& search) const {
    return count <= max_ungapped_mismatches || search.loss / search.event() <= max_ungapped_mismatches;
  }

 private:
  std::int32_t most_;
};

/// Is it certain that no path with a gap is as good as the ungapped one? search: of the walk's extension, possible().
/// The genome must be known as far as gaps reach.
WS_HD inline bool ungapped_is_best(const PackedWalk& walk, const UngappedWalk& mismatches, const GapSearch& search) {
  const auto least = [](std::int32_t a, std::int32_t b) { return a < b ? a : b; };
  const std::int32_t first_gap = search.first_gap(), event = search.event();
  const std::int32_t wanted_gain = search.least_gain > search.best_gain ? search.least_gain : search.best_gain;
  std::int32_t reached = 0;  // upper bound for all paths with a gap and this many events
  for (std::int32_t events = 1;; ++events) {
    const std::int32_t lost = first_gap + (events - 1) * event;  // lower bound
    if (lost > search.loss) return true;                         // a larger loss is no better
    const std::int32_t left = search.loss - (events - 1) * event - search.open_insertion;
    const std::int32_t inserted = left >= 0 ? 1 + left / search.insertion : events > 1 ? 1 : 0;  // or a mismatch
    // Can a path return to the ungapped diagonal further on, with the same loss? It takes one gap of each kind.
    const std::int32_t both = search.open_deletion + search.open_insertion + (events - 2) * event;
    if (events > 1 && both <= search.loss &&
        reached + inserted > mismatches.at[least(both / search.mismatch, mismatches.count)])
      return false;
    const std::int32_t main = mismatches.at[least(events - 1, mismatches.count)];
    const std::int32_t from = (reached > main ? reached : main) + inserted;
    reached = from;
    for (std::int32_t shift = -search.insertions; shift <= search.deletions; ++shift) {
      if (shift == 0 || from + shift < 0) continue;
      const std::int32_t end = walk.end_of_run(from, shift);
      if (end > reached) reached = end;
    }
    if (reached >= search.query_length || reached * search.match - lost >= wanted_gain) return false;
  }
}

/// The text position of a hit, and how many bases around it are free of N.
struct HitContext {
  TextPos position = 0;  // of the hit's first base
  std::uint64_t before = 0, after = 0;

  WS_HD HitContext(const text::GenomeView& genome, const SeedHit& hit) {
    const std::uint64_t segment = text::segment_of(genome, hit.genome_begin);
    before = hit.genome_begin - genome.segments[segment].genome_begin;
    position = genome.segments[segment].text_begin + before;
    after = genome.separator_of(segment) - position - hit.length;
  }
};

/// Is there an N among the bases of a walk?
WS_HD inline bool has_unknown(const text::PackedView& unknown, std::uint64_t begin, std::uint64_t end) {
  std::uint64_t any = 0;
  for (std::uint64_t at = begin; at < end; at += 32)
    any |= unknown.window(at) >> (end - at < 32 ? 64 - 2 * (end - at) : 0);
  return any != 0;
}

/// The extension of a hit to one side as in extend(). read: in the hit's orientation. Returns false if a gap cannot be
/// ruled out; then `ends` is invalid.
WS_HD inline bool try_extend_ungapped(const text::PackedView& text, const PackedStrand& read, const SeedHit& hit,
                                      const HitContext& position, bool leftwards, std::int32_t start_score,
                                      const GapLimits& limits, const Scoring& scoring, Extension& ends) {
  PackedWalk walk = {read.bases, text, hit.query_begin, position.position, static_cast<std::int32_t>(hit.query_begin),
                     true};
  if (!leftwards) {
    walk.query_at = hit.query_end(), walk.position += hit.length;
    walk.length = static_cast<std::int32_t>(read.length() - hit.query_end()), walk.leftwards = false;
  }
  const auto length = static_cast<std::uint64_t>(walk.length), known = leftwards ? position.before : position.after;
  const std::uint64_t begin = leftwards ? 0 : walk.query_at;
  if (known < length || has_unknown(read.unknown, begin, begin + length)) return false;
  const UngappedWalk mismatches(walk, start_score, scoring,
                                limits.limits_loss() ? walk.length : max_ungapped_mismatches);
  if (mismatches.too_many()) return false;
  const UngappedExtension& ungapped = mismatches.extension;
  ends = ungapped.ends;
  const GapSearch search(ungapped, walk.length, start_score, scoring,
                         limits.after(lost_before(hit, leftwards, start_score, scoring)));
  if (max_gap_for_loss(scoring, search.loss) == 0) return true;
  return search.possible(ungapped, scoring) && mismatches.lists_enough(search) &&
         known >= length + static_cast<std::uint64_t>(search.deletions) && ungapped_is_best(walk, mismatches, search);
}

}  // namespace warpseed::align
