// Pairing: where mates are rescued, which alignments of two mates form the best pair, and its quality.
#pragma once

#include <cstdint>
#include <type_traits>

#include "align/align_options.hpp"
#include "align/alignment.hpp"
#include "align/pair/insert_size_core.hpp"
#include "align/seed/settled_core.hpp"
#include "align/select/mapq_core.hpp"
#include "align/select/tie_break_core.hpp"
#include "core/view.hpp"

namespace warpseed::align {

/// The alignment of a read that is reported as primary, and its mapping quality.
struct Choice {
  std::int32_t primary = no_alignment;  // index into the read's alignments; no_alignment: unmapped
  std::int32_t mapq = 0;
  bool proper = false;
  std::uint8_t unused[3] = {};  // the padding, so that nothing is copied that was never written
};
static_assert(std::has_unique_object_representations_v<Choice>, "no padding");

struct ChoicePair {
  Choice first, second;
};

/// A read's ranked alignments, mutable. Owns nothing.
struct RankedAlignments {
  Alignment* alignments = nullptr;
  std::uint32_t count = 0;
  ReadTraits traits;

  WS_HD Alignment& operator[](std::int32_t i) const { return alignments[i]; }
};

/// The expected distances with the roles of the mates swapped: the first mate seen from the second.
WS_HD inline InsertSizeView swap_mates(const InsertSizeView& expected) {
  InsertSizeView reverse;
  for (unsigned i = 0; i < orientation_count; ++i) {
    reverse.ranges[i] = expected.of(from_other_mate(static_cast<Orientation>(i)));
  }
  return reverse;
}

/// Is an alignment unique for its read? If others are as good, it may be one of many in a tandem repeat, and rescue
/// must also find the nearest ones.
WS_HD inline bool is_unique(const Alignment& alignment) {
  return alignment.secondary_to == no_alignment && alignment.second_score < alignment.score;
}

/// Is this alignment of the mate in the expected window, and unique?
WS_HD inline bool is_mate(const Alignment& anchor, std::uint32_t anchor_length, const Alignment& other,
                          std::uint32_t mate_length, Orientation seen, const InsertSizeRange& range) {
  if (!is_unique(other)) return false;
  const MateDistance distance = mate_distance(anchor, anchor_length, other, mate_length);
  return distance.seen == seen && range.holds(distance.bases);
}

/// The same for any of a mate's alignments.
WS_HD inline bool has_mate(const Alignment& anchor, std::uint32_t anchor_length, const View<Alignment>& mates,
                           std::uint32_t mate_length, Orientation seen, const InsertSizeRange& range) {
  for (const Alignment& other : mates) {
    if (is_mate(anchor, anchor_length, other, mate_length, seen, range)) return true;
  }
  return false;
}

/// Is a read's best alignment unique, and do so few edits explain its score that seeding found all alignments with up
/// to rival_edits - 1 more?
WS_HD inline bool is_settled(const View<Alignment>& ranked, const ReadTraits& traits, const AlignOptions& options) {
  if (ranked.size == 0 || options.report_all || options.rival_edits == 0 || traits.repetitive > 0) return false;
  if (ranked[0].alt || !is_unique(ranked[0])) return false;
  const Scoring& scoring = options.scoring;
  const std::int32_t cost = scoring.match + scoring.mismatch;
  const std::int32_t lost = static_cast<std::int32_t>(traits.length) * scoring.match - ranked[0].score;
  const auto edits = static_cast<std::uint32_t>((lost + cost - 1) / cost);
  return settled_length(traits.length, edits, options.rival_edits) >= options.min_seed;
}

/// Is a mate settled as the mate of one of the best alignments of an anchor? Then it is not searched for elsewhere.
WS_HD inline bool is_settled_mate(const View<Alignment>& anchors, std::uint32_t anchor_length,
                                  const View<Alignment>& mates, const ReadTraits& mate, const InsertSizeView& expected,
                                  const AlignOptions& options) {
  if (!is_settled(mates, mate, options)) return false;
  for (const Alignment& anchor : anchors) {
    if (anchor.score < anchors[0].score) break;
    if (is_proper(expected, mate_distance(anchor, anchor_length, mates[0], mate.length))) return true;
  }
  return false;
}

/// Pairs with a longer mate are not rescued: rescue is for short mates, which have too few seeds, and runs a DP over
/// the whole mate.
constexpr std::uint32_t longest_rescued = (1U << 15) - 1;

WS_HD inline bool may_rescue(std::uint32_t first_length, std::uint32_t second_length) {
  return first_length <= longest_rescued && second_length <= longest_rescued;
}

/// For every good alignment of a read, the anchor, without a mate nearby: rescue(anchor, seen, range) searches the mate
/// there and returns whether it added alignments. aligned(anchor, seen, range): has_mate() on the mate's current
/// alignments. expected: the mate as seen from the anchor. Returns whether any alignment was added.
template <class Aligned, class Rescue>
WS_HD inline bool rescue_near(const View<Alignment>& anchors, const InsertSizeView& expected,
                              const AlignOptions& options, Aligned aligned, Rescue rescue) {
  if (anchors.size == 0) return false;
  const std::int32_t good_enough = anchors[0].score - options.scoring.unpaired;
  bool added = false;
  std::uint32_t rescues = 0;
  for (std::uint64_t a = 0; a < anchors.size && rescues < options.max_rescues; ++a) {
    if (anchors[a].score < good_enough) continue;
    ++rescues;
    for (unsigned i = 0; i < orientation_count; ++i) {
      const auto seen = static_cast<Orientation>(i);
      const InsertSizeRange& range = expected.of(seen);
      if (range.high < range.low || aligned(anchors[a], seen, range)) continue;
      const bool found = rescue(anchors[a], seen, range);
      added = added || found;
    }
  }
  return added;
}

/// The best pair of two reads' alignments.
struct PairChoice {
  std::int32_t first = no_alignment, second = no_alignment;  // indices
  std::int32_t score = 0;
  std::int32_t clip_penalty = 0;          // of both; second criterion
  std::int32_t rest = 0;                  // rounding remainder of the distance's score; third criterion
  CompetitorProbability competitors = 0;  // the other pairs

  WS_HD bool comes_before(const PairChoice& other) const {
    if (score != other.score) return score > other.score;
    return clip_penalty != other.clip_penalty ? clip_penalty < other.clip_penalty : rest > other.rest;
  }
  WS_HD bool is_tied(const PairChoice& other) const {
    return score == other.score && clip_penalty == other.clip_penalty && rest == other.rest;
  }
};

/// The pair of the i-th and the j-th alignment of two mates; no_alignment if it is not proper. Its score is the sum of
/// both alignments' scores and the distance's score.
WS_HD inline PairChoice pair_of(const MateLists& mates, std::uint32_t i, std::uint32_t j,
                                const InsertSizeView& expected) {
  const Alignment &a = mates.first.alignments[i], &b = mates.second.alignments[j];
  PairChoice pair;
  const MateDistance distance = mate_distance(a, mates.first.length, b, mates.second.length);
  if (!is_proper(expected, distance)) return pair;
  pair.first = static_cast<std::int32_t>(i), pair.second = static_cast<std::int32_t>(j);
  const InsertSizeRange& range = expected.of(distance.seen);
  const std::int32_t parts = range.scores[distance.bases - range.low], points = points_of(parts);
  const std::int32_t score = a.score + b.score + points;
  pair.score = score > 0 ? score : 0;
  pair.rest = parts - points * units_per_point;
  pair.clip_penalty = a.clip_penalty + b.clip_penalty;
  return pair;
}

/// The largest distance of a proper pair; -1 if there is none.
WS_HD inline std::int64_t largest_distance(const InsertSizeView& expected) {
  std::int64_t most = -1;
  for (const InsertSizeRange& range : expected.ranges) most = range.high > most ? range.high : most;
  return most;
}

/// May mates be a proper pair whose fragment ends are this far apart? most: largest_distance().
WS_HD inline bool is_near(std::int64_t apart, std::int64_t most) {
  return static_cast<std::uint64_t>(apart + most) <= 2 * static_cast<std::uint64_t>(most);
}

/// Replaces `best` by `pair` if that is better.
WS_HD inline void keep_better(PairChoice& best, const PairChoice& pair) {
  if (pair.first != no_alignment && (best.first == no_alignment || pair.comes_before(best))) best = pair;
}

/// Counts `pair` as a competitor of the best pair. Returns whether only a tie break decides between them.
WS_HD inline bool count_competing_pair(PairChoice& best, const PairChoice& pair, const Scoring& scoring) {
  if (pair.first == no_alignment || (pair.first == best.first && pair.second == best.second)) return false;
  best.competitors += competitor_probability((best.score - pair.score) / scoring.match);
  return pair.is_tied(best);
}

/// Chooses among tied pairs: the one with the lowest tie break hash, of equals the first.
struct TieBreaker {
  std::int32_t first = no_alignment, second = no_alignment;
  std::uint32_t tie_break = 0;

  WS_HD void add(const TieBreaker& other) {
    if (other.first != no_alignment && (first == no_alignment || other.comes_before(*this))) *this = other;
  }

  /// Adds a pair of alignments with known pair ranks, if it ties with the best one.
  WS_HD void add(const PairChoice& pair, const PairChoice& best, const MateLists& mates) {
    if (pair.first == no_alignment || !pair.is_tied(best)) return;
    const auto i = static_cast<std::uint32_t>(pair.first), j = static_cast<std::uint32_t>(pair.second);
    add({pair.first, pair.second, mates.tie_break_hash(i, j)});
  }

 private:
  WS_HD bool comes_before(const TieBreaker& other) const {
    if (tie_break != other.tie_break) return tie_break < other.tie_break;
    return first != other.first ? first < other.first : second < other.second;
  }
};

/// Calls visit(i, j) for all alignments of two mates.
struct AllPairs {
  template <class Visit>
  WS_HD void operator()(const MateLists& mates, Visit visit) const {
    for (std::uint32_t i = 0; i < mates.first.count; ++i) {
      for (std::uint32_t j = 0; j < mates.second.count; ++j) visit(i, j);
    }
  }
};

/// Compares all proper pairs of two mates' alignments. near_pairs: AllPairs, or one that omits pairs that are not proper.
template <class NearPairs = AllPairs>
WS_HD inline PairChoice choose_pair(const MateLists& mates, const InsertSizeView& expected, const Scoring& scoring,
                                    NearPairs near_pairs = {}) {
  const auto for_pairs = [&](auto visit) {
    near_pairs(mates, [&](std::uint32_t i, std::uint32_t j) { visit(pair_of(mates, i, j, expected)); });
  };
  PairChoice best;
  std::uint64_t proper = 0;
  for_pairs([&](const PairChoice& pair) {
    keep_better(best, pair);
    proper += pair.first != no_alignment ? 1 : 0;
  });
  if (proper < 2) return best;
  bool tied = false;
  for_pairs([&](const PairChoice& pair) { tied = count_competing_pair(best, pair, scoring) || tied; });
  if (!tied) return best;
  for (std::uint32_t k = 0; k < mates.count(); ++k) mates.assign_pair_rank(k);
  TieBreaker draw;
  for_pairs([&](const PairChoice& pair) { draw.add(pair, best, mates); });
  best.first = draw.first, best.second = draw.second;
  return best;
}

/// A read's mapping quality, given that of its pair: a surer pair raises it, by at most 40.
WS_HD inline std::int32_t paired_mapq(std::int32_t single, std::int32_t pair) {
  if (pair <= single) return single;
  return pair < single + 40 ? pair : single + 40;
}

/// The quality of a chosen pair against the other pairs and against the mates' best alignments unpaired. Against the
/// latter it is maximal if neither its alignments nor its distance lose any score.
WS_HD inline std::int32_t pair_mapq(const PairChoice& choice, std::int32_t unpaired_score, const ReadTraits& a,
                                    const ReadTraits& b, const Scoring& scoring) {
  Fixed certain = quality_of_competitors(choice.competitors);
  const std::int32_t lead = choice.score - unpaired_score;
  if (lead < scoring.unpaired) {
    const Fixed together = fixed_one * max_mapq * lead / scoring.unpaired;
    if (together < certain) certain = together;
  }
  const std::int32_t quality = clamp_mapq(certain);
  return scale_by_unique_bases(quality, a.repetitive + b.repetitive, a.length + b.length);
}

/// The number of a read's alignments off ALT contigs; they come first.
WS_HD inline std::uint32_t primary_count(const RankedAlignments& read) {
  std::uint32_t count = 0;
  while (count < read.count && !read.alignments[count].alt) ++count;
  return count;
}

/// The alignments of a read that can be paired.
WS_HD inline MateList pairable(const RankedAlignments& read) {
  return {read.alignments, primary_count(read), read.traits.length};
}

/// Calls work(i) for every i below `count`, sequentially.
struct SequentialForEach {
  template <class Work>
  WS_HD void operator()(std::uint32_t count, Work work) const {
    for (std::uint32_t i = 0; i < count; ++i) work(i);
  }
};

/// Replaces the winner that read[winner] refers to by `better`: read[winner] takes its role. for_all: SequentialForEach or an
/// equivalent.
template <class ForAll>
WS_HD inline void replace(const RankedAlignments& read, std::int32_t winner, std::int32_t Alignment::*better,
                          ForAll for_all) {
  const std::int32_t before = read[winner].*better;
  for_all(read.count, [&](std::uint32_t i) {
    if (read.alignments[i].*better == before) read.alignments[i].*better = winner;
  });
  read[before].*better = winner;
  read[winner].*better = no_alignment;
}

/// Makes read[winner] the winner of its group of competitors. An ALT contig stays first in its list.
template <class ForAll>
WS_HD inline void promote(const RankedAlignments& read, std::int32_t winner, ForAll for_all) {
  Alignment& chosen = read[winner];
  const std::int32_t before = chosen.secondary_to, listed = chosen.alternative_of;
  if (listed != no_alignment && !read[listed].alt) replace(read, winner, &Alignment::alternative_of, for_all);
  if (before == no_alignment) return;
  replace(read, winner, &Alignment::secondary_to, for_all);
  chosen.second_score = read[before].score;
}

/// The choice for a single read: its best alignment with at least the minimum score, off ALT contigs if there is one.
WS_HD inline Choice choose_single(const View<Alignment>& ranked, const ReadTraits& traits,
                                  const AlignOptions& options) {
  for (std::uint64_t i = 0; i < ranked.size; ++i) {
    if (ranked[i].score < options.min_score) continue;
    return {static_cast<std::int32_t>(i), single_mapq(ranked[i], traits, options), false};
  }
  return {};
}

/// Are the best alignments of both mates, chosen independently, a proper pair?
WS_HD inline bool is_proper_unpaired(const RankedAlignments& first, const RankedAlignments& second,
                                     const ChoicePair& choices, const InsertSizeView& expected) {
  if (choices.first.primary == no_alignment || choices.second.primary == no_alignment) return false;
  return is_proper(expected, mate_distance(first[choices.first.primary], first.traits.length,
                                           second[choices.second.primary], second.traits.length));
}

template <class ForAll>
WS_HD inline Choice adopt(const RankedAlignments& read, std::int32_t index, std::int32_t certainty,
                          const AlignOptions& options, ForAll for_all) {
  promote(read, index, for_all);
  return {index, paired_mapq(single_mapq(read[index], read.traits, options), certainty), true};
}

/// Chooses both mates' alignments together if their best pair, see choose_pair(), scores better than two single reads,
/// else independently. May promote a secondary alignment to the winner of its group. for_all: see replace().
template <class ForAll = SequentialForEach>
WS_HD inline ChoicePair choose_alignments(const RankedAlignments& first, const RankedAlignments& second,
                                          const PairChoice& pair, const InsertSizeView& expected,
                                          const AlignOptions& options, ForAll for_all = {}) {
  if (pair.first != no_alignment) {
    const std::int32_t unpaired_score = first[0].score + second[0].score - options.scoring.unpaired;
    if (pair.score > unpaired_score) {
      const std::int32_t certainty = pair_mapq(pair, unpaired_score, first.traits, second.traits, options.scoring);
      return {adopt(first, pair.first, certainty, options, for_all),
              adopt(second, pair.second, certainty, options, for_all)};
    }
  }
  const auto alone = [&](const RankedAlignments& read) {
    return choose_single({read.alignments, read.count}, read.traits, options);
  };
  ChoicePair choices = {alone(first), alone(second)};
  choices.first.proper = choices.second.proper =
      options.pairing && is_proper_unpaired(first, second, choices, expected);
  return choices;
}

}  // namespace warpseed::align
