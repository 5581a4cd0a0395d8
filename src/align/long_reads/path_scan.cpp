#include "align/long_reads/path_scan.hpp"

#include <algorithm>

#include "align/long_reads/two_piece_core.hpp"
#include "core/bits.hpp"

namespace warpseed::align {

namespace {

using records::CigarOp;

/// Calls visit(element, offset, length, score) along a path: for an aligned pair with length 1, for a gap as a whole.
template <class Visit>
void for_each_column(const PathView& path, const LongScoring& scoring, Visit visit) {
  const std::uint8_t *query = path.query, *genome = path.genome;
  for (std::size_t e = 0; e < path.cigar.size(); ++e) {
    const std::uint32_t length = records::cigar_length(path.cigar[e]);
    const CigarOp op = records::cigar_op(path.cigar[e]);
    if (op == CigarOp::match) {
      for (std::uint32_t i = 0; i < length; ++i) visit(e, i, 1U, score_of(scoring, query[i], genome[i]));
      query += length, genome += length;
    } else {
      visit(e, 0U, length, -path_gap_cost(scoring, length));
      (op == CigarOp::insertion ? query : genome) += length;
    }
  }
}

}  // namespace

std::int32_t path_gap_cost(const LongScoring& scoring, std::uint32_t length) {
  const std::int32_t whole = gap_cost(scoring, static_cast<std::int32_t>(length));
  const auto logarithm = static_cast<std::int32_t>(64 - leading_zeros(std::uint64_t{length} + 1));
  const std::int32_t capped = scoring.long_gap_open + logarithm * scoring.gap_extend;
  return std::min(whole, capped);
}

std::vector<PathStretch> find_stretches(const PathView& path, const LongScoring& scoring, std::int32_t min_score) {
  std::vector<PathStretch> found;
  PathStretch best;                     // of the current stretch, up to its highest score so far
  std::int32_t score = 0;               // from the stretch's begin
  std::uint32_t query = 0, genome = 0;  // up to here
  const auto restart = [&](std::size_t element, std::uint32_t next) {
    best = {element, element, next, next, query, genome, 0};
    score = 0;
  };
  for_each_column(path, scoring,
                  [&](std::size_t element, std::uint32_t offset, std::uint32_t length, std::int32_t gain) {
                    const CigarOp op = records::cigar_op(path.cigar[element]);
                    if (op != CigarOp::deletion) query += length;
                    if (op != CigarOp::insertion) genome += length;
                    score += gain;
                    if (score > best.score) {
                      best.score = score, best.last = element, best.taken = offset + length;
                    } else if (score < 0 || best.score - score > scoring.drop) {
                      if (best.score >= min_score) found.push_back(best);
                      restart(element, offset + length);
                    }
                  });
  if (best.score >= min_score) found.push_back(best);
  return found;
}

std::int32_t largest_drop(const PathView& path, const LongScoring& scoring) {
  std::int32_t score = 0, highest = 0, drop = 0;
  for_each_column(path, scoring, [&](std::size_t, std::uint32_t, std::uint32_t, std::int32_t gain) {
    score += gain;
    highest = std::max(highest, score);
    drop = std::max(drop, highest - score);
  });
  return drop;
}

void shift_gaps_left(Cigar& cigar, const std::uint8_t* query, const std::uint8_t* genome) {
  for (std::size_t e = 0; e < cigar.size(); ++e) {
    const std::uint32_t length = records::cigar_length(cigar[e]);
    const CigarOp op = records::cigar_op(cigar[e]);
    const bool inner = e > 0 && e + 1 < cigar.size() && records::cigar_op(cigar[e - 1]) == CigarOp::match &&
                       records::cigar_op(cigar[e + 1]) == CigarOp::match;
    if (op != CigarOp::match && inner) {
      const std::uint8_t* const bases = op == CigarOp::insertion ? query : genome;
      const std::uint32_t room = records::cigar_length(cigar[e - 1]) - 1;
      std::uint32_t shift = 0;
      while (shift < room && *(bases - 1 - shift) == *(bases + length - 1 - shift)) ++shift;
      cigar[e - 1] -= shift << 4, cigar[e + 1] += shift << 4;
      query -= shift, genome -= shift;
    }
    if (op != CigarOp::deletion) query += length;
    if (op != CigarOp::insertion) genome += length;
  }
}

}  // namespace warpseed::align
