// Extension of a hit without gaps, from packed words, where that can be told to be the best.
//
// Most extensions meet a few mismatches. A path with a gap that betters them must run on other diagonals without a
// difference between few events, a gap or a mismatch each; how far all diagonals together let it come is asked, which needs
// neither memory nor a programme. A yes is certain; where the answer is no, wavefronts are asked (wavefront_core.hpp).
#pragma once

#include <cstdint>

#include "align/chain/diagonal_core.hpp"
#include "align/extend/banded_dp_core.hpp"
#include "align/extend/extend_hit_core.hpp"

namespace warpseed::align {

constexpr std::int32_t max_ungapped_mismatches = 8;  // with more a programme is likely to be needed

/// A read and the genome beside one of its hits, walked from the hit outwards.
struct PackedWalk {
  text::PackedView query, text;
  std::uint64_t query_at = 0;  // the first base of the walk; leftwards: the one behind it
  TextPos position = 0;        // likewise
  std::int32_t length = 0;     // of the query's side
  bool leftwards = false;

  /// The first base of the query from `at` on that is not the genome's `shift` bases further; its end if there is none.
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

  /// The 32 bases that end `back` ones before `from`, the last one lowest.
  WS_HD static std::uint64_t before(const text::PackedView& bases, std::uint64_t from, std::int32_t back) {
    const std::uint64_t end = from - static_cast<std::uint64_t>(back);
    return end >= 32 ? bases.window(end - 32) : bases.words[0] >> (64 - 2 * end);
  }
};

/// The mismatches of a walk, and the extension along it.
struct UngappedWalk {
  std::int32_t count = 0;                        // one more than there is room for: too many
  std::int32_t at[max_ungapped_mismatches + 1];  // bases of the query before each; then the query's length

  WS_HD explicit UngappedWalk(const PackedWalk& walk) {
    std::int32_t end = walk.end_of_run(0, 0);
    for (; end < walk.length && count < max_ungapped_mismatches; end = walk.end_of_run(end + 1, 0)) at[count++] = end;
    if (end < walk.length)
      ++count;
    else
      at[count] = walk.length;
  }
  WS_HD bool too_many() const { return count > max_ungapped_mismatches; }

  /// As extend_ungapped().
  WS_HD UngappedExtension extension(std::int32_t length, std::int32_t start_score, const Scoring& scoring) const {
    UngappedExtension result;
    Extension& ends = result.ends;
    ends.best_score = result.lowest = start_score;
    const std::int32_t loss = scoring.mismatch + scoring.match;
    for (std::int32_t i = 0; i <= count; ++i) {
      const std::int32_t score = start_score + at[i] * scoring.match - i * loss;
      if (score > ends.best_score) ends.best_score = score, ends.best_query = ends.best_genome = at[i];
      if (i < count && score - scoring.mismatch < result.lowest) result.lowest = score - scoring.mismatch;
    }
    result.loss = count * loss;
    ends.full_score = start_score + length * scoring.match - result.loss;
    ends.full_genome = length;
    return result;
  }
};

/// Is it certain that no path with a gap is as good as the straight one? search: of the walk's extension, possible(). The
/// genome must be known as far as gaps reach.
WS_HD inline bool ungapped_is_best(const PackedWalk& walk, const UngappedWalk& mismatches, const GapSearch& search) {
  const auto least = [](std::int32_t a, std::int32_t b) { return a < b ? a : b; };
  const std::int32_t first_gap = search.first_gap(), event = least(search.mismatch, first_gap);
  std::int32_t reached = 0;  // by all paths with a gap and so many events, at most
  for (std::int32_t events = 1;; ++events) {
    const std::int32_t lost = first_gap + (events - 1) * event;  // at least
    if (lost > search.loss) return true;                         // what loses more is no better
    const std::int32_t left = search.loss - (events - 1) * event - search.open_insertion;
    const std::int32_t inserted = left >= 0 ? 1 + left / search.insertion : events > 1 ? 1 : 0;  // or a mismatch
    // Back on the straight path behind what that reaches with the same loss? It takes a gap of either kind.
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
    if (reached >= search.query_length || reached * search.match - lost >= search.best_gain) return false;
  }
}

/// Where a hit stands in the text, and how much of it lies around the hit without N.
struct HitSurroundings {
  TextPos position = 0;  // of the hit's first base
  std::uint64_t before = 0, after = 0;

  WS_HD HitSurroundings(const text::GenomeView& genome, const SeedHit& hit) {
    const std::uint64_t segment = text::segment_of(genome, hit.genome_begin);
    before = hit.genome_begin - genome.segments[segment].genome_begin;
    position = genome.segments[segment].text_begin + before;
    after = genome.separator_of(segment) - position - hit.length;
  }
};

/// Is there an N among the bases that a walk goes along?
WS_HD inline bool has_unknown(const text::PackedView& unknown, std::uint64_t begin, std::uint64_t end) {
  std::uint64_t any = 0;
  for (std::uint64_t at = begin; at < end; at += 32)
    any |= unknown.window(at) >> (end - at < 32 ? 64 - 2 * (end - at) : 0);
  return any != 0;
}

/// The extension of a hit to one side as extend() has it. read: as the hit is turned. Returns false if it is not certain
/// that there is no gap; then nothing is to be made of `ends`.
WS_HD inline bool try_extend_ungapped(const text::PackedView& text, const PackedStrand& read, const SeedHit& hit,
                                      const HitSurroundings& position, bool leftwards, std::int32_t start_score,
                                      const Scoring& scoring, Extension& ends) {
  PackedWalk walk = {read.bases, text, hit.query_begin, position.position, static_cast<std::int32_t>(hit.query_begin),
                     true};
  if (!leftwards) {
    walk.query_at = hit.query_end(), walk.position += hit.length;
    walk.length = static_cast<std::int32_t>(read.length() - hit.query_end()), walk.leftwards = false;
  }
  const auto length = static_cast<std::uint64_t>(walk.length), known = leftwards ? position.before : position.after;
  const std::uint64_t begin = leftwards ? 0 : walk.query_at;
  if (known < length || has_unknown(read.unknown, begin, begin + length)) return false;
  const UngappedWalk mismatches(walk);
  if (mismatches.too_many()) return false;
  const UngappedExtension ungapped = mismatches.extension(walk.length, start_score, scoring);
  ends = ungapped.ends;
  if (scoring.gap_within(ungapped.loss) == 0) return true;
  const GapSearch search(ungapped, walk.length, start_score, scoring);
  return search.possible(ungapped, scoring) && known >= length + static_cast<std::uint64_t>(search.deletions) &&
         ungapped_is_best(walk, mismatches, search);
}

}  // namespace warpseed::align
