// Seeds: maximal exact matches of a read, by restarts of plain backward search.
//
// A match found from read position `end` leftwards is left-maximal. The next search starts just far enough to the left
// that a match of minimal length includes the base at which the last one broke. If no match of minimal length ends at
// the start, the start moves by one base. So every exact match of at least min_length bases is found, with at least
// min_length of its bases. Extension restores what a restart cuts off on the right, if all occurrences are used. If
// there are too many for that, bisection finds the right end: the longest match that extends past the base at which the
// last one broke. Such matches are super-maximal. The long and rare ones among them distinguish one member of a repeat
// family from the others.
//
// Most starts find nothing. A probe in the middle of the bases that a match would have to contain rules out several
// starts at once: a string that does not occur is in no longer match. It changes no seed.
//
// Nearly all reads have an alignment with few differences. Scouts, matches from the ends and the middle of both strands,
// look for it: a match is located, the first of several occurrences, and the differences of the read on its diagonal
// are counted. If they are few, only matches long enough to be part of an alignment as good or nearly so are seeds: the
// read is settled.
//
// A match that has become unique is located at once and extended in the text itself, which costs almost nothing, while
// a backward-search step costs a random access. The search is split into single index accesses, each prefetched one
// step ahead, so a CPU can interleave many searches.
#pragma once

#include <cstdint>

#include "align/align_options.hpp"
#include "align/seed/seed_search.hpp"
#include "align/seed/seed_settle.hpp"
#include "align/seed/seed_windows.hpp"
#include "core/bits.hpp"
#include "core/prefetch.hpp"
#include "index/fm_core.hpp"
#include "text/genome_core.hpp"

namespace warpseed::align {

/// Goes on with a strand of the read.
WS_HD inline void to_strand(SeedSearch& search, bool reverse) {
  const std::uint32_t length = search.read.length();
  const std::uint64_t* words = search.read.bases.words - (search.reverse ? 2 * packed_words(length) : 0);
  search.read = packed_strand(words, length, reverse);
  search.reverse = reverse;
}

/// Is the base before the match an N, so that it cannot be extended?
WS_HD inline bool at_unknown(const SeedSearch& search) {
  return search.match.begin > 0 && search.unknown(search.match.begin - 1);
}

/// Is this a match for the round of rare ones?
WS_HD inline bool is_rare(const SeedRules& rules, const Seed& match) {
  return match.length() >= rules.min_length && match.rows.count() <= rules.rare_rows;
}

/// Starts an attempt at the pass's end less `probe`, with the k-mer table if the pass is long enough.
WS_HD inline void begin_attempt(const SeedText& text, const SeedRules& rules, std::uint32_t probe, SeedSearch& search) {
  const std::uint32_t from = search.pass.end - probe, k = text.fm.kmer_length;
  search.match = {from, from, {0, text.fm.row_count()}, text::no_text_pos};
  search.probe = probe;
  search.broken = false;
  search.step = SeedStep::extend;
  if (k == 0 || from - search.pass.floor < k) return;
  const std::uint64_t unknown = search.all_known ? 0 : search.read.unknown.window(from - k) >> (64 - 2 * k);
  if (unknown != 0) {
    if (rules.min_length >= k) search.match.begin = from - trailing_zeros(unknown) / 2, search.broken = true;
    return;
  }
  search.kmer = search.read.bases.window(from - k) >> (64 - 2 * k);
  search.step = SeedStep::table;
  prefetch(text.fm.kmer_ranges.at(2 * search.kmer));
}

/// Emits a rare match, if any. The next one begins adjacent to it, or after the base that no occurrence matches.
template <class Emit>
WS_HD inline void settle_rare(const SeedRules& rules, SeedSearch& search, Emit emit) {
  const Seed& match = search.match;
  const bool found = is_rare(rules, match);
  if (found) emit(match);
  search.pass.end = found || match.begin == 0 ? match.begin : match.begin - 1;
}

/// Starts the bisection for the right end of the current match, which a restart has cut.
WS_HD inline void begin_right_end(SeedSearch& search) {
  const SeedPass& pass = search.pass;
  search.aside->right = {pass, search.match, search.match, pass.cut};
  search.narrowing = true;
  search.pass = {pass.end - search.aside->min_length, (pass.end + pass.cut) / 2, pass.min_rows, 0};
}

/// Evaluates one step of the bisection. Returns whether another one is due; if not, the current match is the longest,
/// and is extended to the left next.
template <class Emit>
WS_HD inline bool narrow_right_end(SeedSearch& search, Emit emit) {
  RightEnd& right = search.aside->right;
  if (search.match.begin == search.pass.floor) {
    right.longest = search.match;
  } else {
    right.beyond = search.pass.end;
  }
  search.pass.end = (right.longest.end + right.beyond) / 2;
  if (search.pass.end > right.longest.end) return true;
  if (right.longest.end > right.first.end) emit(right.first);
  search.match = right.longest;
  search.pass = right.interrupted;
  search.pass.cut = 0;
  search.broken = search.narrowing = false;
  return false;
}

/// Is the current match cut by a restart, and too frequent to use all its occurrences?
WS_HD inline bool is_cut(const SeedRules& rules, const SeedSearch& search) {
  return search.probe == 0 && !is_settled(search) && search.pass.cut > search.pass.end + 1 &&
         search.match.length() >= search.aside->min_length && search.match.rows.count() > rules.few_rows;
}

/// Goes on inside a match with few occurrences: with windows in a settled read.
WS_HD inline void search_within(SeedSearch& search) {
  const Seed match = search.match;
  SetAside& aside = *search.aside;
  aside.interrupted = search.pass;
  search.round = is_settled(search) ? SeedRound::windows : SeedRound::within;
  search.pass = {match.begin, match.end, match.rows.count() + 1, 0};
  begin_windows(search);
}

/// Ends an attempt without a match: moves the pass's end past the starts that it has ruled out.
WS_HD inline void end_in_vain(SeedSearch& search) {
  SeedPass& pass = search.pass;
  SetAside& aside = *search.aside;
  const bool coarse = search.round == SeedRound::within;
  const std::uint32_t stride = search.probe > 0 ? pass.end - search.match.end + 1
                               : coarse         ? aside.min_length / 2
                                                : aside.stride;
  pass.end = at_unknown(search) && !coarse ? search.match.begin - 1 : pass.end > stride ? pass.end - stride : 0;
  pass.cut = 0, aside.continued = 0;
}

/// Ends an attempt: emits its seed and moves the pass's end. Returns the probe of the next attempt.
template <class Emit>
WS_HD inline std::uint32_t end_attempt(const SeedRules& rules, SeedSearch& search, Emit emit) {
  SeedPass& pass = search.pass;
  const Seed& match = search.match;
  const std::uint32_t min_length = search.aside->min_length;
  const std::uint32_t probe = search.round == SeedRound::within ? 0 : search.aside->probe;
  if (search.probe > 0 && (match.begin == pass.floor || match.length() + search.probe >= min_length)) return 0;
  if (search.probe > 0 || match.length() < min_length) {
    end_in_vain(search);
    return probe;
  }
  if (search.round == SeedRound::windows) {
    end_window(rules, search, emit);
    return 0;
  }
  emit(match);
  search.repeated = search.repeated || match.rows.count() > search.aside->common_rows;
  pass.end = match.begin == pass.floor ? 0 : match.begin - 1 + min_length;
  pass.cut = match.end;
  const bool is_long = is_settled(search) || match.length() >= rules.reseed_length;
  if (search.round == SeedRound::within || !is_long || match.rows.count() > rules.reseed_rows) return probe;
  search_within(search);
  return search.round == SeedRound::windows ? probe : 0;
}

/// Is there anything left to search on this strand, in this round or the next one? Sets the probe of a new round.
WS_HD inline bool go_on(const SeedRules& rules, SeedSearch& search, std::uint32_t& probe) {
  const auto exhausted = [&] { return search.pass.end < search.pass.floor + search.aside->min_length; };
  if ((search.round == SeedRound::within || search.round == SeedRound::windows) && exhausted()) {
    search.round = SeedRound::whole;
    search.pass = search.aside->interrupted;
    probe = search.aside->probe;
  }
  const bool wants_rare = search.repeated && rules.rare_rows > 0;
  if (search.round == SeedRound::whole && exhausted() && wants_rare) {
    search.round = SeedRound::rare;
    search.pass = {0, search.read.length(), 1, 0};
    probe = 0;
  }
  return !exhausted();
}

/// Is the current match unable to grow, or long enough?
WS_HD inline bool is_over(const SeedRules& rules, const SeedSearch& search) {
  const Seed& match = search.match;
  return search.broken || match.begin == search.pass.floor || at_unknown(search) ||
         (search.round == SeedRound::rare && is_rare(rules, match)) || at_window(rules, search) ||
         (search.probe > 0 && match.length() + search.probe >= search.aside->min_length);
}

/// Starts the walk to the first occurrence of the current match.
WS_HD inline void begin_walk(const SeedText& text, SeedSearch& search) {
  search.step = SeedStep::walk;
  search.walk = {search.match.rows.begin, 0};
  index::prefetch_row(text.fm, search.walk.row);
}

/// Chooses how to extend the current match and prefetches the access.
WS_HD inline void announce(const SeedText& text, const SeedRules& rules, SeedSearch& search) {
  const Seed& match = search.match;
  if (search.step == SeedStep::table) return;
  if (match.position != text::no_text_pos) {
    search.step = SeedStep::follow;
    return;
  }
  if (match.rows.count() == 1 && match.length() >= rules.min_length) return begin_walk(text, search);
  search.step = SeedStep::extend;
  prefetch(&text.fm.blocks[match.rows.begin / index::block_symbols]);
  prefetch(&text.fm.blocks[match.rows.end / index::block_symbols]);
}

/// Starts the search of a strand, with the match that a scout has found at its end, if any.
WS_HD inline void begin_strand(const SeedText& text, const SeedRules& rules, bool reverse, SeedSearch& search) {
  const SetAside& aside = *search.aside;
  to_strand(search, reverse);
  search.round = SeedRound::whole;
  search.repeated = false;
  search.pass = {0, search.read.length(), 1, 0};
  if (aside.scouted.end > 0 && aside.scouted_reverse == reverse) {
    search.match = aside.scouted;
    search.probe = 0;
    search.broken = true;
    search.step = SeedStep::extend;
  } else {
    begin_attempt(text, rules, aside.probe, search);
  }
}

/// Starts the next scout: from the end and the middle of either strand. Returns false if there is none.
WS_HD inline bool begin_scout(const SeedText& text, const SeedRules& rules, SeedSearch& search) {
  constexpr std::uint32_t scouts = 4;
  const std::uint32_t scout = search.aside->scout++, length = search.read.length();
  const std::uint32_t end = scout < 2 ? length : length / 2;
  if (scout == scouts || end < rules.min_length) return false;
  to_strand(search, scout % 2 != 0);
  search.pass = {0, end, 1, 0};
  begin_attempt(text, rules, 0, search);
  return true;
}

/// Ends the current attempt and starts the next one. Returns false if there is none.
template <class Emit>
WS_HD inline bool conclude(const SeedText& text, const SeedRules& rules, SeedSearch& search, Emit emit) {
  if (search.round == SeedRound::scout) {
    settle(text, rules, search);
    if (is_settled(search) || !begin_scout(text, rules, search)) begin_strand(text, rules, false, search);
    return true;
  }
  const bool rare = search.round == SeedRound::rare;
  std::uint32_t probe = 0;
  if (search.narrowing) {
    if (!narrow_right_end(search, emit)) return true;  // the current match is extended further
  } else if (!rare && is_cut(rules, search)) {
    begin_right_end(search);
  } else {
    if (rare) {
      settle_rare(rules, search, emit);
    } else {
      probe = end_attempt(rules, search, emit);
      if (search.beyond) return true;
    }
    if (!go_on(rules, search, probe)) {
      if (search.reverse) return false;
      begin_strand(text, rules, true, search);
      return true;
    }
  }
  begin_attempt(text, rules, probe, search);
  return true;
}

/// Is the match of a scout to be located?
WS_HD inline bool wants_position(const SeedRules& rules, const SeedSearch& search) {
  const Seed& match = search.match;
  return search.round == SeedRound::scout && match.position == text::no_text_pos && match.length() >= rules.min_length;
}

/// Chooses the next access and prefetches it.
template <class Emit>
WS_HD inline void plan(const SeedText& text, const SeedRules& rules, SeedSearch& search, Emit emit) {
  while (is_over(rules, search)) {
    if (wants_position(rules, search)) return begin_walk(text, search);
    if (conclude(text, rules, search, emit)) continue;
    search.step = SeedStep::done;
    return;
  }
  announce(text, rules, search);
}

/// Extends a unique match to the left in the text, at most to the start of the pass or the segment.
WS_HD inline void follow_in_text(const SeedText& text, SeedSearch& search) {
  Seed& match = search.match;
  const TextPos limit = text.genome.segments[text::segment_at(text.genome, match.position)].text_begin;
  const std::uint64_t in_text = match.position - limit, in_read = match.begin - search.pass.floor;
  const auto most = static_cast<std::uint32_t>(in_text < in_read ? in_text : in_read);
  const std::uint32_t more = same_before(search.read, match.begin, text.genome.text, match.position, most);
  match.begin -= more, match.position -= more;
  search.broken = true;
}

/// One step of the walk to a unique match's position.
WS_HD inline void walk_step(const SeedText& text, SeedSearch& search) {
  TextPos position = 0;
  if (index::step_back(text.fm, search.walk, position)) {
    search.match.position = position;
    search.step = SeedStep::follow;
    prefetch(&text.genome.text.words[position / 32]);
  } else {
    index::prefetch_row(text.fm, search.walk.row);
  }
}

/// Starts the search for the seeds of a read. read: packed_strand() as sequenced, followed by its other parts. aside:
/// owned by this search, in any memory.
WS_HD inline SeedSearch start_seeds(const SeedText& text, const SeedRules& rules, const PackedStrand& read,
                                    SetAside* aside) {
  SeedSearch search;
  search.read = read;
  if (read.length() < rules.min_length) return search;
  search.aside = aside;
  aside->min_length = rules.min_length;
  aside->probe = probe_distance(rules, text.fm.kmer_length, rules.min_length);
  aside->scout = 0, aside->stride = 1, aside->common_rows = 1;
  aside->scouted.end = 0;
  search.all_known = true;
  for (std::uint32_t i = 0; i < read.length(); i += 32) {
    if (read.unknown.words[i / 32] != 0) search.all_known = false;
  }
  const bool may_settle = search.all_known && rules.rival_edits > 0 &&
                          settled_length(read.length(), 0, rules.rival_edits) > rules.min_length;
  if (!may_settle || !begin_scout(text, rules, search)) begin_strand(text, rules, false, search);
  return search;
}

/// Looks up the first bases of an attempt in the k-mer table.
WS_HD inline void table_step(const SeedText& text, const SeedRules& rules, SeedSearch& search) {
  Seed& match = search.match;
  const RowRange rows = index::kmer_rows(text.fm, search.kmer);
  search.step = SeedStep::extend;
  if (rows.count() >= search.pass.min_rows) {
    match.begin -= text.fm.kmer_length, match.rows = rows;
  } else if (rules.min_length >= text.fm.kmer_length && search.round != SeedRound::rare) {
    match.begin -= text.fm.kmer_length - 1, search.broken = true;
  }
}

/// Extends the match by one base to the left, if enough rows for the pass remain.
WS_HD inline void extend_match(const index::FmView& fm, unsigned base, SeedSearch& search) {
  Seed& match = search.match;
  const RowRange rows = index::extend_left(fm, match.rows, base);
  search.broken = rows.begin >= rows.end || rows.count() < search.pass.min_rows;
  if (!search.broken) match.rows = rows, --match.begin;
}

/// Completes a SeedStep::extend after the caller's extend_match(); does any other step completely.
template <class Emit>
WS_HD inline void decide_step(const SeedText& text, const SeedRules& rules, SeedSearch& search, Emit emit) {
  switch (search.step) {
    case SeedStep::table: table_step(text, rules, search); break;
    case SeedStep::extend: break;
    case SeedStep::walk: return walk_step(text, search);
    case SeedStep::follow: follow_in_text(text, search); break;
    case SeedStep::done: return;
  }
  plan(text, rules, search, emit);
}

/// The next step of a search that is not done. Calls emit(seed) in the order in which seeds are found.
template <class Emit>
WS_HD inline void step_seeds(const SeedText& text, const SeedRules& rules, SeedSearch& search, Emit emit) {
  if (search.step == SeedStep::extend && !search.broken && !at_unknown(search))
    extend_match(text.fm, search.read.bases[search.match.begin - 1], search);
  decide_step(text, rules, search, emit);
}

}  // namespace warpseed::align
