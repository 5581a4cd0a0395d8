// The round of windows of a seed search: where parts of a long match with few occurrences occur as well.
//
// Among several copies of a repeat, the longest matches hide others: a copy may match only within those of two other
// ones. So a settled read is asked window by window. Every match of the length that matters inside the long one holds a
// window of min_length bases, stride apart from the next, and the occurrences of that window are the seed. Where there
// are many, the window grows to the left until it is rare; if it never is, those seeds are far apart. A window all of
// whose occurrences go on from the one before adds nothing.
#pragma once

#include <cstdint>

#include "align/seed/seed_search.hpp"

namespace warpseed::align {

WS_HD inline void begin_windows(SeedSearch& search) {
  search.aside->continued = 0;
  search.aside->frequent_end = 0xFFFFFFFFU;
}

/// The length at which the match of a window is looked at next: that of the window; then as far as the next one begins.
WS_HD inline std::uint32_t next_look(const SeedSearch& search) {
  const SetAside& aside = *search.aside;
  if (!search.beyond) return aside.min_length;
  return aside.counted ? 0xFFFFFFFFU : aside.min_length + aside.stride;
}

/// Does the current window lack its seed, which it gets as soon as it is rare?
WS_HD inline bool wants_rare_window(const SeedSearch& search) {
  return search.round == SeedRound::windows && search.beyond && !search.aside->emitted;
}

/// Is the current match to be looked at by end_window()?
WS_HD inline bool at_window(const SeedRules& rules, const SeedSearch& search) {
  if (search.round != SeedRound::windows || search.probe > 0) return false;
  return search.match.length() == next_look(search) ||
         (wants_rare_window(search) && search.match.rows.count() <= rules.reseed_rows);
}

/// Looks at the match of a window. Emits its seed when it is due. Sets `search.beyond` if the match is to grow further;
/// if not, moves the pass's end to the next window.
template <class Emit>
WS_HD inline void end_window(const SeedRules& rules, SeedSearch& search, Emit emit) {
  SetAside& aside = *search.aside;
  const Seed& match = search.match;
  const std::uint64_t rows = match.rows.count();
  const bool whole = search.broken || match.begin == search.pass.floor;
  if (!search.beyond) {
    aside.emitted = rows == aside.continued, aside.counted = false;
    aside.continued = 0;
  }
  const bool apart = match.end + 2 * aside.min_length <= aside.frequent_end;
  if (!aside.emitted && (rows <= rules.reseed_rows || (whole && apart))) {
    emit(match);
    aside.emitted = true;
    if (rows > rules.reseed_rows) aside.frequent_end = match.end;
  }
  if (match.length() == aside.min_length + aside.stride) aside.continued = rows, aside.counted = true;
  search.beyond = !whole && !(aside.emitted && aside.counted);
  if (!search.beyond) search.pass.end = search.pass.end > aside.stride ? search.pass.end - aside.stride : 0;
}

}  // namespace warpseed::align
