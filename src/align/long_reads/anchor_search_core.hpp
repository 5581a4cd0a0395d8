// The search for anchors in a part of a long read, as a state machine of single steps: what a step reads was prefetched
// by the step before.
//
// Attempts begin some bases apart and go from right to left. A match that occurs once is located and continued in the
// text to both sides, so that attempts need not begin where matches end. A match that occurs several times ends where
// no occurrence goes on.
#pragma once

#include <cstdint>

#include "align/chain/diagonal_core.hpp"
#include "align/packed_strand.hpp"
#include "align/seed/seed_search.hpp"
#include "index/fm_core.hpp"
#include "text/genome_core.hpp"

namespace warpseed::align {

/// What long reads are searched for.
struct AnchorRules {
  std::uint32_t min_length = 0;  // of an anchor
  std::uint32_t stride = 4;      // from an attempt that finds nothing to the next; matches of min_length + 3 are found
  std::uint64_t max_rows = 100;  // a match with more occurrences is no anchor
  std::uint32_t overhang = 64;   // an anchor reaches at most so far out of the part that is searched
};

/// The shorter of min_seed and a length that a random string of bases hardly has, so that reads with many errors have
/// anchors in small genomes.
WS_HD inline AnchorRules anchor_rules(const index::FmView& fm, const AlignOptions& options) {
  const SeedRules rules = seed_rules(fm, options);
  AnchorRules anchors;
  anchors.min_length = rules.chance_length < rules.min_length ? rules.chance_length : rules.min_length;
  return anchors;
}

/// The next action of a search.
enum class AnchorStep : std::uint8_t { table, extend, walk, done };

/// Read bases [begin, end) match at every row, or at a text position if that is known.
struct AnchorMatch {
  std::uint32_t begin = 0, end = 0;
  RowRange rows;
  TextPos position = text::no_text_pos;
};

/// The search for all matches that end in bases (floor, ceiling] of a strand.
struct AnchorSearch {
  PackedStrand read;
  std::uint32_t floor = 0, ceiling = 0;
  AnchorMatch match;  // of the current attempt
  index::Walk walk;   // to the position of a match that occurs once
  AnchorStep step = AnchorStep::done;
};

WS_HD inline void prefetch_rows(const index::FmView& fm, const RowRange& rows) {
  prefetch(&fm.blocks[rows.begin / index::block_symbols]);
  prefetch(&fm.blocks[rows.end / index::block_symbols]);
}

/// The k-mer that ends at the current attempt's end.
WS_HD inline std::uint64_t anchor_kmer(const AnchorSearch& search, std::uint32_t k) {
  return search.read.bases.window(search.match.end - k) >> (64 - 2 * k);
}

/// Begins the next attempt, at `end` or before the Ns left of it.
WS_HD inline void begin_anchor_attempt(const index::FmView& fm, const AnchorRules& rules, AnchorSearch& search,
                                       std::uint32_t end) {
  const std::uint32_t k = fm.kmer_length;
  while (end > search.floor && end >= rules.min_length) {
    const std::uint64_t unknown = k == 0 ? 0 : search.read.unknown.window(end - k) >> (64 - 2 * k);
    if (unknown == 0) {
      search.match = {end, end, {}, text::no_text_pos};
      search.step = AnchorStep::table;
      if (k > 0) prefetch(fm.kmer_ranges.at(2 * anchor_kmer(search, k)));
      return;
    }
    end -= trailing_zeros(unknown) / 2 + 1;
  }
  search.step = AnchorStep::done;
}

WS_HD inline AnchorSearch start_anchors(const index::FmView& fm, const AnchorRules& rules, const PackedStrand& read,
                                        std::uint32_t floor, std::uint32_t ceiling) {
  AnchorSearch search;
  search.read = read, search.floor = floor, search.ceiling = ceiling;
  begin_anchor_attempt(fm, rules, search, ceiling);
  return search;
}

/// Continues a located match to both sides, within its segment and the part that is searched with its overhang. A match that
/// leaves its segment, as one of a forged index may, is moved and shortened.
WS_HD inline void continue_in_text(const text::GenomeView& genome, const PackedStrand& read, std::uint32_t lowest,
                                   std::uint32_t highest, AnchorMatch& match) {
  const text::SegmentPosition found = text::within_segment(genome, match.position);
  match.position = genome.segments[found.segment].text_begin + found.offset;
  if (match.end - match.begin > found.rest) match.end = match.begin + static_cast<std::uint32_t>(found.rest);
  const std::uint64_t before = found.offset;
  const std::uint64_t after = found.rest - (match.end - match.begin);
  const auto least = [](std::uint64_t a, std::uint32_t b) { return a < b ? static_cast<std::uint32_t>(a) : b; };
  const std::uint32_t left = match.begin > lowest ? match.begin - lowest : 0;
  const std::uint32_t right = match.end < highest ? highest - match.end : 0;
  match.end +=
      same_after(read, match.end, genome.text, match.position + (match.end - match.begin), least(after, right));
  const std::uint32_t more = same_before(read, match.begin, genome.text, match.position, least(before, left));
  match.begin -= more, match.position -= more;
}

constexpr std::uint32_t anchor_part_bases =
    512;  // of a strand that one search takes: enough of them in a read of some kb

/// Bases [begin, end) of a strand.
struct AnchorPart {
  std::uint32_t begin = 0, end = 0;
  bool reverse = false;
};

/// The parts of both strands of a read.
WS_HD inline std::uint32_t anchor_parts(std::uint32_t read_length) {
  return 2 * ((read_length + anchor_part_bases - 1) / anchor_part_bases);
}
WS_HD inline AnchorPart anchor_part(std::uint32_t read_length, std::uint32_t number) {
  const std::uint32_t of_strand = anchor_parts(read_length) / 2;
  const std::uint32_t begin = number % of_strand * anchor_part_bases, rest = read_length - begin;
  return {begin, begin + (rest < anchor_part_bases ? rest : anchor_part_bases), number >= of_strand};
}

/// Continues a match that was located row by row: its left end is that of all its rows.
WS_HD inline void continue_to_the_right(const text::GenomeView& genome, const PackedStrand& read, AnchorMatch& match) {
  const std::uint32_t rest = read.length() - match.end;
  const std::uint32_t highest = match.end + (rest < anchor_part_bases ? rest : anchor_part_bases);
  continue_in_text(genome, read, match.begin, highest, match);
}

WS_HD inline std::uint32_t lowest_of(const AnchorSearch& search, const AnchorRules& rules) {
  return search.floor > rules.overhang ? search.floor - rules.overhang : 0;
}
WS_HD inline std::uint32_t highest_of(const AnchorSearch& search, const AnchorRules& rules) {
  const std::uint32_t length = search.read.length();
  return length - search.ceiling > rules.overhang ? search.ceiling + rules.overhang : length;
}

/// Ends an attempt: emits its match if it is an anchor, and begins the next attempt.
template <class Emit>
WS_HD inline void conclude_anchor(const index::FmView& fm, const AnchorRules& rules, AnchorSearch& search, Emit emit) {
  const AnchorMatch match = search.match;
  if (match.end - match.begin < rules.min_length) {
    begin_anchor_attempt(fm, rules, search, match.end > rules.stride ? match.end - rules.stride : 0);
    return;
  }
  emit(match);
  begin_anchor_attempt(fm, rules, search, match.begin > 0 ? match.begin - 1 : 0);
}

/// Takes one step. Calls emit(AnchorMatch) for every match of at least min_length bases, however many rows it has.
template <class Emit>
WS_HD inline void step_anchors(const index::FmView& fm, const text::GenomeView& genome, const AnchorRules& rules,
                               AnchorSearch& search, Emit emit) {
  AnchorMatch& match = search.match;
  if (search.step == AnchorStep::table) {
    const std::uint32_t k = fm.kmer_length;
    match.rows = k == 0 ? RowRange{0, fm.row_count()} : index::kmer_rows(fm, anchor_kmer(search, k));
    match.begin = match.rows.empty() ? match.end : match.end - k;
    search.step = AnchorStep::extend;
    if (match.rows.empty()) {
      conclude_anchor(fm, rules, search, emit);
    } else {
      prefetch_rows(fm, match.rows);
    }
  } else if (search.step == AnchorStep::extend) {
    const std::uint32_t next = match.begin - 1;
    const bool ends = match.begin <= lowest_of(search, rules) || search.read.unknown[next] != 0;
    const RowRange rows = ends ? RowRange{} : index::extend_left(fm, match.rows, search.read.bases[next]);
    if (rows.empty()) {
      conclude_anchor(fm, rules, search, emit);
      return;
    }
    match.begin = next, match.rows = rows;
    if (rows.count() == 1 && match.end - match.begin >= rules.min_length) {
      search.walk = {rows.begin, 0};
      search.step = AnchorStep::walk;
      index::prefetch_row(fm, rows.begin);
    } else {
      prefetch_rows(fm, rows);
    }
  } else if (!index::step_back(fm, search.walk, match.position)) {
    index::prefetch_row(fm, search.walk.row);
  } else {
    continue_in_text(genome, search.read, lowest_of(search, rules), highest_of(search, rules), match);
    conclude_anchor(fm, rules, search, emit);
  }
}

}  // namespace warpseed::align
