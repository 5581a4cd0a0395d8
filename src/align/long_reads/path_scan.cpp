#include "align/long_reads/path_scan.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "align/long_reads/two_piece_core.hpp"
#include "align/record/code_runs.hpp"

namespace warpseed::align {

namespace {

using records::CigarOp;

/// Calls visit(offset, length, equal) for `count` aligned pairs: for a run of equal pairs as a whole, for each other
/// pair with length 1.
template <class Visit>
void for_each_run(const std::uint8_t* query, const std::uint8_t* genome, std::uint32_t count, Visit visit) {
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t equal = leading_equal(query + i, genome + i, count - i);
    if (equal > 0) visit(i, equal, true);
    i += equal;
    if (i < count) visit(i, 1U, false);
  }
}

/// A run of equal pairs or a gap as a whole, or another pair.
struct Step {
  std::size_t element;
  std::uint32_t offset;  // in the element
  std::uint32_t length;
  std::int32_t score;
  const std::uint8_t* genome;  // where it begins there
  bool equal;                  // pairs

  /// How many genome bases of it are differences.
  std::uint32_t differences(CigarOp op) const { return equal || op == CigarOp::insertion ? 0 : length; }
};

/// Calls visit(op, step) along a path.
template <class Visit>
void for_each_step(const PathView& path, const LongScoring& scoring, Visit visit) {
  const std::uint8_t *query = path.query, *genome = path.genome;
  for (std::size_t e = 0; e < path.cigar.size(); ++e) {
    const std::uint32_t length = records::cigar_length(path.cigar[e]);
    const CigarOp op = records::cigar_op(path.cigar[e]);
    if (op == CigarOp::match) {
      for_each_run(query, genome, length, [&](std::uint32_t i, std::uint32_t pairs, bool equal) {
        const bool unknown = query[i] > 3 || genome[i] > 3;  // says nothing: a run of N is no drop
        const std::int32_t other = unknown ? 0 : -scoring.mismatch;
        const std::int32_t score = equal ? static_cast<std::int32_t>(pairs) * scoring.match : other;
        visit(op, Step{e, i, pairs, score, genome + i, equal});
      });
      query += length, genome += length;
    } else {
      visit(op, Step{e, 0, length, -path_gap_cost(scoring, length), genome, false});
      (op == CigarOp::insertion ? query : genome) += length;
    }
  }
}

/// Elements [first, last] of a path, without `skipped` bases of the first one and with `taken` of the last one, both
/// from the element's begin.
struct PathRange {
  std::size_t first = 0;
  std::uint32_t skipped = 0;
  std::size_t last = 0;
  std::uint32_t taken = 0;
};

TrimmedPath part_of(const PathView& path, const PathRange& range, std::int32_t score) {
  TrimmedPath part;
  part.score = score;
  const auto add = [&](std::size_t e, std::uint32_t& query, std::uint32_t& genome, std::uint32_t length) {
    const CigarOp op = records::cigar_op(path.cigar[e]);
    if (op != CigarOp::deletion) query += length;
    if (op != CigarOp::insertion) genome += length;
  };
  for (std::size_t e = 0; e < range.first; ++e)
    add(e, part.query_begin, part.genome_begin, records::cigar_length(path.cigar[e]));
  add(range.first, part.query_begin, part.genome_begin, range.skipped);
  part.cigar.reserve(range.last - range.first + 1);
  for (std::size_t e = range.first; e <= range.last; ++e) {
    const std::uint32_t whole = e == range.last ? range.taken : records::cigar_length(path.cigar[e]);
    const std::uint32_t length = e == range.first ? whole - range.skipped : whole;
    if (length == 0) continue;
    add(e, part.query_length, part.genome_length, length);
    part.cigar.push_back(records::cigar_element(records::cigar_op(path.cigar[e]), length));
    part.columns += length;
  }
  return part;
}

/// Keeps those of a whole path's differences that are within a part of it, by their offsets there.
void keep_within(const TrimmedPath& part, std::vector<Difference>& differences) {
  const auto before = [&](std::uint32_t offset) {
    return std::lower_bound(differences.begin(), differences.end(), difference(offset, 0));
  };
  differences.erase(before(part.genome_begin + part.genome_length), differences.end());
  differences.erase(differences.begin(), before(part.genome_begin));
  for (Difference& one : differences) one -= difference(part.genome_begin, 0);
}

}  // namespace

std::optional<TrimmedPath> trim_path(const PathView& path, const LongScoring& scoring, std::int32_t min_score) {
  PathRange all, here;  // of all stretches so far; the current one, to its highest score
  std::int32_t score = 0, highest = 0, best = 0;
  const auto conclude = [&] {
    if (highest < min_score) return;
    if (best == 0) all = here;
    all.last = here.last, all.taken = here.taken;
    best = std::max(best, highest);
  };
  std::vector<Difference> differences;
  for_each_step(path, scoring, [&](CigarOp op, const Step& step) {
    const std::uint32_t past = step.offset + step.length;
    for (std::uint32_t i = 0; i < step.differences(op); ++i) {
      const auto at = static_cast<std::uint32_t>(step.genome + i - path.genome);
      differences.push_back(difference(at, step.genome[i]));
    }
    score += step.score;
    if (score > highest) {
      highest = score, here.last = step.element, here.taken = past;
    } else if (score < 0) {
      conclude();
      here = {step.element, past, step.element, past};
      score = highest = 0;
    }
  });
  conclude();
  if (best == 0) return std::nullopt;
  TrimmedPath part = part_of(path, all, best);
  keep_within(part, differences);
  part.differences = std::move(differences);
  return part;
}

std::int32_t largest_drop(const PathView& path, const LongScoring& scoring) {
  std::int32_t score = 0, highest = 0, drop = 0;
  std::int64_t diagonal = 0, diagonal_at_highest = 0;
  for_each_step(path, scoring, [&](CigarOp op, const Step& step) {
    score += step.score;
    if (op == CigarOp::deletion) diagonal += step.length;
    if (op == CigarOp::insertion) diagonal -= step.length;
    if (score >= highest) highest = score, diagonal_at_highest = diagonal;
    const auto allowed = static_cast<std::int32_t>(std::abs(diagonal - diagonal_at_highest)) * scoring.gap_extend;
    drop = std::max(drop, highest - score - allowed);
  });
  return drop;
}

std::uint32_t bases_in_runs(const LongAlignment& alignment, std::uint32_t shortest) {
  std::uint32_t bases = 0, run = 0, offset = 0;
  const auto add = [&](std::uint32_t pairs) {
    run += pairs;
    offset += pairs;
  };
  const auto end_run = [&] {
    bases += run >= shortest ? run : 0;
    run = 0;
  };
  auto next = alignment.differences.begin();
  for (const records::CigarElement element : alignment.cigar) {
    const CigarOp op = records::cigar_op(element);
    const std::uint32_t past = offset + (op == CigarOp::insertion ? 0 : records::cigar_length(element));
    if (op != CigarOp::match) end_run();
    for (; next != alignment.differences.end() && difference_offset(*next) < past; ++next) {
      add(difference_offset(*next) - offset);
      end_run();
      ++offset;
    }
    add(past - offset);
  }
  end_run();
  return bases;
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
