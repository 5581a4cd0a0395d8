// Decides how an alignment's CIGAR is found, ungapped along one diagonal or by the DP of
// traceback_core.hpp, and which alignments' CIGARs are reported.
#pragma once

#include <cstdint>
#include <type_traits>

#include "align/alignment.hpp"
#include "align/chain/diagonal_core.hpp"
#include "align/record/code_runs.hpp"
#include "align/select/rank_core.hpp"
#include "records/alignment_record.hpp"
#include "text/genome_core.hpp"

namespace warpseed::align {

/// The text position of the alignment's first base, if read and genome span the same length and the genome has no N
/// there; no_text_pos otherwise.
WS_HD inline TextPos diagonal_of(const LocalAlignment& alignment, const text::GenomeView& genome) {
  const GenomePos begin = alignment.genome_begin, length = alignment.genome_end - begin;
  if (length == 0 || length != alignment.query_end - alignment.query_begin) return text::no_text_pos;
  return text::whole_in_text(genome, begin, length);
}

/// The ungapped score of `length` read bases from `at` on against the text at `position`. Calls differ(i) for each i
/// where they differ, ascending from 0.
template <class Differ>
WS_HD inline std::int32_t ungapped_path_score(const PackedStrand& read, std::uint32_t at, const text::PackedView& text,
                                              TextPos position, std::uint32_t length, const Scoring& scoring,
                                              Differ differ) {
  std::uint32_t differing = 0, unknown = 0;
  for (std::uint32_t done = 0; done < length; done += 32) {
    const std::uint32_t count = length - done < 32 ? length - done : 32;
    const std::uint64_t counted = ~std::uint64_t{0} << (64 - 2 * count);
    unknown += count_ones(read.unknown.window(at + done) & counted);
    for (std::uint64_t rest = differences(read, at + done, text, position + done) & counted; rest != 0;) {
      const unsigned zeros = leading_zeros(rest);
      differ(done + zeros / 2);
      ++differing;
      rest &= ~(std::uint64_t{1} << (63 - zeros));
    }
  }
  return static_cast<std::int32_t>(length - differing) * scoring.match -
         static_cast<std::int32_t>(differing - unknown) * scoring.mismatch - static_cast<std::int32_t>(unknown);
}

/// The ungapped score of `length` read codes against as many genome codes.
template <class Query, class Genome>
WS_HD inline std::int32_t ungapped_path_score(const Query& query, const Genome& genome, std::int32_t length,
                                              const Scoring& scoring) {
  std::int32_t score = 0;
  for (std::int32_t i = 0; i < length; ++i) score += score_of(scoring, query[i], genome[i]);
  return score;
}

/// A genome base that a path deletes or aligns to a different read base: its offset from the alignment's start and its
/// code. NM and MD follow from CIGAR and differences.
using Difference = std::uint32_t;
WS_HD constexpr Difference difference(std::uint32_t offset, std::uint8_t code) {
  return offset << 3 | code;
}
WS_HD constexpr std::uint32_t difference_offset(Difference one) {
  return one >> 3;
}
WS_HD constexpr std::uint8_t difference_code(Difference one) {
  return one & 7;
}

/// Calls differ(difference) for those of a path, ascending. element_at(i): the i-th of its `count` elements, M, I and
/// D; query, genome: codes from the path's first base on.
template <class ElementAt, class Query, class Genome, class Differ>
WS_HD inline void for_each_difference(std::uint32_t count, ElementAt element_at, const Query& query,
                                      const Genome& genome, Differ differ) {
  std::int32_t at = 0, offset = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const records::CigarElement element = element_at(i);
    const auto length = static_cast<std::int32_t>(records::cigar_length(element));
    if (records::cigar_op(element) == records::CigarOp::insertion) {
      at += length;
      continue;
    }
    const bool deleted = records::cigar_op(element) == records::CigarOp::deletion;
    for (std::int32_t k = 0; k < length; ++k, ++offset) {
      if constexpr (std::is_pointer_v<Query> && std::is_pointer_v<Genome>) {
        const auto most = static_cast<std::uint32_t>(length - k);
        const auto equal =
            deleted ? 0 : static_cast<std::int32_t>(leading_equal(query + at + k, genome + offset, most));
        k += equal, offset += equal;
        if (k == length) break;
      }
      const std::uint8_t code = genome[offset];
      if (deleted || query[at + k] != code || code > 3) differ(difference(static_cast<std::uint32_t>(offset), code));
    }
    if (!deleted) at += length;
  }
}

/// Is alignment i one of the alternatives (XA) of a winner?
WS_HD inline bool is_listed(const Alignment* alignments, std::uint32_t i, std::int32_t winner,
                            const AlignOptions& options) {
  return alignments[i].alternative_of == winner && is_alternative(alignments[i], alignments[winner], options);
}

/// Does a record list the alternatives of a winner? It lists all or, if there are too many, none.
WS_HD inline bool lists_alternatives(const Alignment* alignments, std::uint32_t count, std::int32_t winner,
                                     const AlignOptions& options) {
  std::uint32_t listed = 0;
  bool on_alt = false;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!is_listed(alignments, i, winner, options)) continue;
    ++listed;
    on_alt |= alignments[i].alt;
  }
  return listed <= (on_alt ? options.max_with_alt : options.max_alternatives);
}

/// Calls work(i) once for each of a read's ranked alignments whose CIGAR the records report. `count` must be at least
/// reported_count().
template <class Work>
WS_HD inline void for_each_reported(const Alignment* alignments, std::uint32_t count, const AlignOptions& options,
                                    Work work) {
  const auto has_record = [&](const Alignment& mine) {
    return mine.secondary_to == no_alignment || (options.report_all && !mine.alt && mine.score >= options.min_score);
  };
  for (std::uint32_t winner = 0; winner < count; ++winner) {
    if (has_record(alignments[winner])) work(winner);
    if (options.report_all || alignments[winner].alternative_of != no_alignment) continue;
    const auto number = static_cast<std::int32_t>(winner);
    bool counted = false;  // computed lazily: most winners have no alternatives
    for (std::uint32_t i = 0; i < count; ++i) {
      if (!is_listed(alignments, i, number, options) || has_record(alignments[i])) continue;
      if (!counted && !lists_alternatives(alignments, count, number, options)) break;
      counted = true;
      work(i);
    }
  }
}

}  // namespace warpseed::align
