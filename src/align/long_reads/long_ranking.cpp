#include "align/long_reads/long_ranking.hpp"

#include <algorithm>

#include "align/select/mapq_core.hpp"
#include "align/select/rank_core.hpp"

namespace warpseed::align {

namespace {

/// Decibels by which one more mismatch makes an alignment less probable, given the alignment's own differences.
Fixed phred_per_mismatch(const LongAlignment& alignment) {
  const std::uint64_t different = alignment.columns - alignment.matches + std::uint64_t{1};
  const Fixed ratio = log2_fixed(3 * (std::uint64_t{alignment.matches} + 1)) - log2_fixed(different);
  return std::clamp(times(to_fixed(3.0103), ratio), to_fixed(5), to_fixed(24));
}

/// Quality against a competitor that scores `points` less: beyond one mismatch, errors are no longer independent.
Fixed quality_against(const LongAlignment& alignment, std::int32_t points, const LongScoring& scoring) {
  const Fixed one = phred_per_mismatch(alignment);
  const Fixed whole = one * points / (scoring.match + scoring.mismatch);
  return whole <= one ? whole : one + times(to_fixed(0.365), whole - one);
}

/// A short alignment may have competitors that have no anchors.
Fixed quality_of_length(const LongAlignment& alignment, const LongScoring& scoring) {
  constexpr std::int32_t enough = 200;  // bases
  return fixed_one * max_mapq * std::min(alignment.score / scoring.match, enough) / enough;
}

/// unseen: see rank_long_alignments().
std::int32_t mapq_of(const LongAlignment& alignment, std::uint32_t unseen, const LongScoring& scoring) {
  Fixed against = fixed_one * max_mapq;
  if (alignment.second_score > 0) {
    against = quality_against(alignment, alignment.score - alignment.second_score, scoring);
  }
  Fixed quality = std::min(fixed_one * max_mapq, quality_of_length(alignment, scoring));
  quality = std::min(quality, against - suboptimal_hits_penalty(unseen));
  if (alignment.second_count > 0) quality -= suboptimal_hits_penalty(alignment.second_count);
  return clamp_mapq(quality);
}

void drop_duplicates(std::vector<LongAlignment>& alignments) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < alignments.size(); ++i) {
    const auto is_same = [&](const LongAlignment& better) { return same_position(better, alignments[i]); };
    const auto end = alignments.begin() + static_cast<std::ptrdiff_t>(kept);
    if (std::any_of(alignments.begin(), end, is_same)) continue;
    if (kept != i) alignments[kept] = std::move(alignments[i]);
    ++kept;
  }
  alignments.resize(kept);
}

void mark_long_competitors(std::vector<LongAlignment>& alignments, std::uint32_t read_length,
                           const LongScoring& scoring) {
  const std::int32_t near = scoring.match + scoring.mismatch;
  for (std::size_t i = 0; i < alignments.size(); ++i) {
    LongAlignment& mine = alignments[i];
    mine.secondary_to = no_alignment, mine.second_score = 0, mine.second_count = 0;
    for (std::size_t j = 0; j < i && mine.secondary_to == no_alignment; ++j) {
      LongAlignment& better = alignments[j];
      if (better.secondary_to != no_alignment || !compete(better, mine, read_length)) continue;
      mine.secondary_to = mine.alternative_of = static_cast<std::int32_t>(j);
      better.second_score = std::max(better.second_score, mine.score);
      if (better.score - mine.score <= near) ++better.second_count;
    }
  }
}

/// Drops what follows the last part that is reported.
void limit_parts(std::vector<LongAlignment>& alignments, std::uint32_t read_length) {
  std::uint32_t parts = 0;
  const auto is_beyond = [&](const LongAlignment& one) {
    return one.secondary_to == no_alignment && parts++ == most_parts(read_length);
  };
  alignments.erase(std::find_if(alignments.begin(), alignments.end(), is_beyond), alignments.end());
}

}  // namespace

void rank_long_alignments(std::vector<LongAlignment>& alignments, std::uint32_t read_length, std::uint64_t read_number,
                          std::uint32_t unseen, const AlignOptions& options) {
  for (LongAlignment& one : alignments) one.tie = spread_bits(spread_bits(strand_position(one)) + read_number);
  std::sort(alignments.begin(), alignments.end(),
            [](const LongAlignment& a, const LongAlignment& b) { return ranks_before(a, b); });
  drop_duplicates(alignments);
  mark_long_competitors(alignments, read_length, options.long_scoring);
  limit_parts(alignments, read_length);
  for (LongAlignment& one : alignments) {
    one.mapq = one.secondary_to == no_alignment ? mapq_of(one, unseen, options.long_scoring) : 0;
  }
}

}  // namespace warpseed::align
