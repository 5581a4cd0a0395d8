// Seeds: maximal exact matches of a read, by restarts of plain backward search.
//
// A match found from read position `end` leftwards is maximal to the left. The next start lies just far enough to the
// left that a match of minimal length holds the base at which the last one broke; where nothing of minimal length ends,
// the start moves on by one base. So every exact match of at least min_length bases is found, at least with min_length
// of them. What a restart cuts off on the right comes back in the extension, if all places are looked at. Where they are
// too many for that, the right end is searched for by bisection: the longest match that goes on beyond the base at which
// the last one broke. Such matches are super-maximal, and those that are long and rare among them tell one member of a
// family of repeats from the others.
//
// Most starts find nothing. A probe in the middle of what a match would have to hold tells so for several of them: what
// does not occur occurs in nothing longer. It changes no seed.
//
// A match that has become unique is located at once and followed in the text itself, which costs next to nothing where
// a backward-search step costs a random access. The search goes on by single accesses to the index, each announced one
// step ahead, so that a CPU may keep many searches on their way at a time.
#pragma once

#include <cstdint>

#include "align/align_options.hpp"
#include "align/chain/diagonal_core.hpp"
#include "core/bits.hpp"
#include "core/prefetch.hpp"
#include "index/fm_core.hpp"
#include "text/genome_core.hpp"

namespace warpseed::align {

/// An exact match of read bases [begin, end) with all its occurrences.
struct Seed {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  RowRange rows;  // as many as there are occurrences; those that start with the match, unless located
  TextPos position = text::no_text_pos;  // of the only occurrence, where it is known already

  WS_HD std::uint32_t length() const { return end - begin; }
};

/// What is searched in.
struct SeedText {
  const index::FmView& fm;
  const text::GenomeView& genome;
};

/// What decides about seeds, in whole numbers.
struct SeedRules {
  std::uint32_t min_length = 0;
  std::uint32_t reseed_length = 0;
  std::uint64_t reseed_rows = 0;
  std::uint64_t rare_rows = 0;
  std::uint64_t few_rows = 20;  // a match that a restart has cut and that has more places gets its right end back
  std::uint32_t probe = 0;      // a probe begins so many bases before the end of a match; 0: no probes
};

WS_HD inline SeedRules seed_rules(const index::FmView& fm, const AlignOptions& options) {
  SeedRules rules;
  rules.min_length = options.min_seed;
  rules.reseed_length = static_cast<std::uint32_t>(static_cast<float>(options.min_seed) * options.reseed_factor + 0.5F);
  rules.reseed_rows = options.reseed_rows;
  rules.rare_rows = options.rare_rows;
  // A random string of log4(rows) bases and three more breaks by chance nearly always.
  std::uint32_t breaks = 3;
  for (Row rows = fm.row_count(); rows > 0; rows /= 4) ++breaks;
  if (breaks < fm.kmer_length + 1) breaks = fm.kmer_length + 1;
  if (rules.min_length > breaks) rules.probe = rules.min_length - breaks;
  return rules;
}

/// Matches are looked for in bases [floor, end), from right to left, with at least `min_rows` rows.
struct SeedPass {
  std::uint32_t floor = 0, end = 0;
  std::uint64_t min_rows = 1;
  std::uint32_t cut = 0;  // the end of the match that a restart at `end` cuts; 0: nothing ends behind `end`
};

/// The search for the largest end with which bases [floor of the pass, end) still occur: they do with the end of
/// `longest`, which is `first` to begin with, and do not with `beyond`.
struct RightEnd {
  SeedPass interrupted;
  Seed first, longest;
  std::uint32_t beyond = 0;
};

/// What a search comes back to, looked at only when an attempt is over. It stands beside the search, all of whose own state
/// a device's thread has in registers.
struct SetAside {
  SeedPass interrupted;  // after the round within a seed
  RightEnd right;        // within a pass
};

/// What a search does next.
enum class SeedStep : std::uint8_t { table, extend, walk, follow, done };

/// What is looked for: matches as long as they can be in the whole read; within a long one with few occurrences,
/// coarsely, parts that occur more often, so that a near-copy of the best place is seen as well; and where anything
/// occurs more than once, matches side by side, each no longer than it takes to be rare: so all members of a family of
/// repeats that are near enough are seen, not those alone that share most.
enum class SeedRound : std::uint8_t { whole, within, rare };

/// The search for all seeds of one orientation of a read.
struct SeedSearch {
  PackedStrand read;
  SeedPass pass;            // what is searched now
  Seed match;               // where the attempt at hand stands
  index::Walk walk;         // on the way to a unique match's position
  std::uint64_t kmer = 0;   // what is asked of the table
  std::uint32_t probe = 0;  // bases that this attempt began before the pass's end
  SeedRound round = SeedRound::whole;
  SetAside* aside = nullptr;
  bool narrowing = false;  // a right end is searched for
  bool all_known = false;  // no N in the read
  bool repeated = false;   // something occurs more than once
  bool broken = false;     // the match cannot be longer
  SeedStep step = SeedStep::done;

  /// Is base i an N?
  WS_HD bool unknown(std::uint32_t i) const { return !all_known && read.unknown[i] != 0; }
};

/// Does the base before the match stand in the way of any longer one?
WS_HD inline bool at_unknown(const SeedSearch& search) {
  return search.match.begin > 0 && search.unknown(search.match.begin - 1);
}

/// Is this a match that the round for rare ones looks for?
WS_HD inline bool is_rare(const SeedRules& rules, const Seed& match) {
  return match.length() >= rules.min_length && match.rows.count() <= rules.rare_rows;
}

/// Begins an attempt at the pass's end less `probe`, with the k-mer table where the pass is long enough.
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

/// A rare match, or none: the next one begins beside it, or behind the base that nothing agrees with.
template <class Emit>
WS_HD inline void settle_rare(const SeedRules& rules, SeedSearch& search, Emit emit) {
  const Seed& match = search.match;
  const bool found = is_rare(rules, match);
  if (found) emit(match);
  search.pass.end = found || match.begin == 0 ? match.begin : match.begin - 1;
}

/// Begins the search for the right end of the match at hand, which a restart has cut.
WS_HD inline void begin_right_end(const SeedRules& rules, SeedSearch& search) {
  const SeedPass& pass = search.pass;
  search.aside->right = {pass, search.match, search.match, pass.cut};
  search.narrowing = true;
  search.pass = {pass.end - rules.min_length, (pass.end + pass.cut) / 2, pass.min_rows, 0};
}

/// A test of a right end is over. Returns whether another one is due; else the match at hand is the longest, to be
/// extended to the left.
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

/// Is the match at hand cut by a restart, and too frequent to look at all its places?
WS_HD inline bool is_cut(const SeedRules& rules, const SeedSearch& search) {
  return search.probe == 0 && search.pass.cut > search.pass.end + 1 && search.match.length() >= rules.min_length &&
         search.match.rows.count() > rules.few_rows;
}

/// An attempt is over: emits what it found and moves the pass's end. Returns where the next attempt's probe begins.
template <class Emit>
WS_HD inline std::uint32_t settle(const SeedRules& rules, SeedSearch& search, Emit emit) {
  SeedPass& pass = search.pass;
  const Seed& match = search.match;
  const bool reseeding = search.round == SeedRound::within;
  const bool unknown = at_unknown(search) && !reseeding;
  if (search.probe > 0) {
    if (match.begin == pass.floor || match.length() + search.probe >= rules.min_length) return 0;
    pass.end = unknown ? match.begin - 1 : match.end - 1;  // no match of min_length ends behind
    pass.cut = 0;
    return rules.probe;
  }
  if (match.length() < rules.min_length) {
    const std::uint32_t stride = reseeding ? rules.min_length / 2 : 1;
    pass.end = unknown ? match.begin - 1 : pass.end > stride ? pass.end - stride : 0;
    pass.cut = 0;
    return reseeding ? 0 : rules.probe;
  }
  emit(match);
  search.repeated = search.repeated || match.rows.count() > 1;
  pass.end = match.begin == pass.floor ? 0 : match.begin - 1 + rules.min_length;
  pass.cut = match.end;
  if (reseeding) return 0;
  if (match.length() < rules.reseed_length || match.rows.count() > rules.reseed_rows) return rules.probe;
  search.round = SeedRound::within;
  search.aside->interrupted = pass;
  search.pass = {match.begin, match.end, match.rows.count() + 1, 0};
  return 0;
}

/// Is there something left to search, in this round or the next one? Sets the probe of a round that begins.
WS_HD inline bool go_on(const SeedRules& rules, SeedSearch& search, std::uint32_t& probe) {
  const auto exhausted = [&] { return search.pass.end < search.pass.floor + rules.min_length; };
  if (search.round == SeedRound::within && exhausted()) {
    search.round = SeedRound::whole;
    search.pass = search.aside->interrupted;
    probe = rules.probe;
  }
  if (search.round == SeedRound::whole && exhausted() && search.repeated && rules.rare_rows > 0) {
    search.round = SeedRound::rare;
    search.pass = {0, search.read.length(), 1, 0};
    probe = 0;
  }
  return !exhausted();
}

/// Can the match at hand not become longer, or need it not?
WS_HD inline bool is_over(const SeedRules& rules, const SeedSearch& search) {
  const Seed& match = search.match;
  return search.broken || match.begin == search.pass.floor || at_unknown(search) ||
         (search.round == SeedRound::rare && is_rare(rules, match)) ||
         (search.probe > 0 && match.length() + search.probe >= rules.min_length);
}

/// Decides how the match at hand becomes longer and announces the access.
WS_HD inline void announce(const SeedText& text, const SeedRules& rules, SeedSearch& search) {
  const Seed& match = search.match;
  if (search.step == SeedStep::table) return;
  if (match.position != text::no_text_pos) {
    search.step = SeedStep::follow;
    return;
  }
  prefetch(&text.fm.blocks[match.rows.begin / index::block_symbols]);
  if (match.rows.count() == 1 && match.length() >= rules.min_length) {
    search.step = SeedStep::walk;
    search.walk = {match.rows.begin, 0};
  } else {
    search.step = SeedStep::extend;
    prefetch(&text.fm.blocks[match.rows.end / index::block_symbols]);
  }
}

/// The attempt at hand is over: begins the next one. Returns false if there is none.
template <class Emit>
WS_HD inline bool conclude(const SeedText& text, const SeedRules& rules, SeedSearch& search, Emit emit) {
  const bool rare = search.round == SeedRound::rare;
  std::uint32_t probe = 0;
  if (search.narrowing) {
    if (!narrow_right_end(search, emit)) return true;  // the match at hand goes on
  } else if (!rare && is_cut(rules, search)) {
    begin_right_end(rules, search);
  } else {
    if (rare) {
      settle_rare(rules, search, emit);
    } else {
      probe = settle(rules, search, emit);
    }
    if (!go_on(rules, search, probe)) return false;
  }
  begin_attempt(text, rules, probe, search);
  return true;
}

/// Decides about the next access and announces it.
template <class Emit>
WS_HD inline void plan(const SeedText& text, const SeedRules& rules, SeedSearch& search, Emit emit) {
  while (is_over(rules, search)) {
    if (conclude(text, rules, search, emit)) continue;
    search.step = SeedStep::done;
    return;
  }
  announce(text, rules, search);
}

/// Follows a unique match to the left in the text, as far as it goes but not beyond the pass or the segment's start.
WS_HD inline void follow_in_text(const SeedText& text, SeedSearch& search) {
  Seed& match = search.match;
  const TextPos limit = text.genome.segments[text::segment_at(text.genome, match.position)].text_begin;
  const std::uint64_t in_text = match.position - limit, in_read = match.begin - search.pass.floor;
  const auto most = static_cast<std::uint32_t>(in_text < in_read ? in_text : in_read);
  const std::uint32_t more = same_before(search.read, match.begin, text.genome.text, match.position, most);
  match.begin -= more, match.position -= more;
  search.broken = true;
}

/// One step on the way to a unique match's position.
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

/// Begins the search for the seeds of a read in one orientation. aside: the search's own, wherever that is.
WS_HD inline SeedSearch start_seeds(const SeedText& text, const SeedRules& rules, const PackedStrand& read,
                                    SetAside* aside) {
  SeedSearch search;
  search.read = read;
  search.aside = aside;
  search.all_known = true;
  for (std::uint32_t i = 0; i < read.length(); i += 32) {
    if (read.unknown.words[i / 32] != 0) search.all_known = false;
  }
  search.pass = {0, read.length(), 1, 0};
  if (read.length() < rules.min_length) return search;
  begin_attempt(text, rules, rules.probe, search);
  return search;
}

/// Looks the first bases of an attempt up in the k-mer table.
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

/// One base further to the left, if the pass allows the rows that are left.
WS_HD inline void extend_match(const index::FmView& fm, unsigned base, SeedSearch& search) {
  Seed& match = search.match;
  const RowRange rows = index::extend_left(fm, match.rows, base);
  search.broken = rows.begin >= rows.end || rows.count() < search.pass.min_rows;
  if (!search.broken) match.rows = rows, --match.begin;
}

/// The rest of a step of SeedStep::extend whose access has been made; of all others the whole step.
template <class Emit>
WS_HD inline void settle_step(const SeedText& text, const SeedRules& rules, SeedSearch& search, Emit emit) {
  switch (search.step) {
    case SeedStep::table: table_step(text, rules, search); break;
    case SeedStep::extend: break;
    case SeedStep::walk: return walk_step(text, search);
    case SeedStep::follow: follow_in_text(text, search); break;
    case SeedStep::done: return;
  }
  plan(text, rules, search, emit);
}

/// The next step of a search that is not done. Calls emit(seed), in the order in which seeds are found.
template <class Emit>
WS_HD inline void step_seeds(const SeedText& text, const SeedRules& rules, SeedSearch& search, Emit emit) {
  if (search.step == SeedStep::extend && !search.broken && !at_unknown(search))
    extend_match(text.fm, search.read.bases[search.match.begin - 1], search);
  settle_step(text, rules, search, emit);
}

/// Extensions of a match that nothing but its rows can end.
struct StepsAhead {
  std::uint64_t bases = 0;  // that stand before it, the nearest one in the lowest bits
  std::uint32_t count = 0;
};

/// Those of a search whose step is SeedStep::extend: one at least, 32 at most.
WS_HD inline StepsAhead steps_ahead(const SeedRules& rules, const SeedSearch& search) {
  const Seed& match = search.match;
  const auto before = [&](const text::PackedView& packed) {
    return match.begin >= 32 ? packed.window(match.begin - 32) : packed.window(0) >> (64 - 2 * match.begin);
  };
  const auto smaller = [](std::uint32_t a, std::uint32_t b) { return a < b ? a : b; };
  const std::uint32_t known = search.all_known ? 32 : trailing_zeros(before(search.read.unknown)) / 2;
  std::uint32_t most = smaller(known, match.begin - search.pass.floor);
  if (search.probe > 0) most = smaller(most, rules.min_length - search.probe - match.length());
  return {before(search.read.bases), most};
}

/// One of them. Afterwards none is left where settle_step() has to decide.
WS_HD inline void extend_ahead(const index::FmView& fm, const SeedRules& rules, SeedSearch& search, StepsAhead& ahead) {
  extend_match(fm, static_cast<unsigned>(ahead.bases & 3), search);
  const Seed& match = search.match;
  const std::uint64_t few = search.round == SeedRound::rare ? rules.rare_rows : 1;
  const bool decides = search.broken || (match.length() >= rules.min_length && match.rows.count() <= few);
  ahead = {ahead.bases >> 2, decides ? 0 : ahead.count - 1};
}

}  // namespace warpseed::align
