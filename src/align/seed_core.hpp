// Seeds: maximal exact matches of a read, by restarts of plain backward search.
//
// A match found from read position `end` leftwards is maximal to the left. The next start lies just far enough to the
// left that a match of minimal length holds the base at which the last one broke; where nothing of minimal length ends,
// the start moves on by `stride`. With a stride of 1 every exact match of at least min_length bases is found, at least
// with min_length of them; what a restart cuts off on the right comes back in the extension.
//
// A match that has become unique is located at once and followed in the text itself, which costs next to nothing where
// a backward-search step costs a random access.
#pragma once

#include <cstdint>

#include "align/align_options.hpp"
#include "index/fm_core.hpp"
#include "text/genome_core.hpp"

namespace warpseed {

constexpr TextPos not_located = ~TextPos{0};

/// An exact match of read codes [begin, end) with all its occurrences.
struct Seed {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  RowRange rows;                   // as many as there are occurrences; those that start with the match, unless located
  TextPos position = not_located;  // of the only occurrence, where it is known already

  WS_HD std::uint32_t length() const { return end - begin; }
};

/// Where the search stands and in what.
struct SeedText {
  const FmView& fm;
  const GenomeView& genome;
};

/// The rows of the table's k-mer that ends at codes[end - 1], as a match; empty where it has fewer than `min_rows`.
WS_HD inline Seed match_from_table(const FmView& fm, const std::uint8_t* codes, std::uint32_t end,
                                   std::uint64_t min_rows) {
  const Seed nothing = {end, end, {0, fm.row_count()}, not_located};
  std::uint64_t kmer = 0;
  std::uint8_t any = 0;
  for (std::uint32_t i = end - fm.kmer_length; i < end; ++i) {
    any |= codes[i];
    kmer = kmer << 2 | (codes[i] & 3);
  }
  if (any > 3) return nothing;
  const RowRange rows = kmer_rows(fm, kmer);
  return rows.count() < min_rows ? nothing : Seed{end - fm.kmer_length, end, rows, not_located};
}

/// Follows a unique match to the left in the text, as far as it goes but not beyond `floor` or the segment's start.
WS_HD inline void follow_in_text(const SeedText& text, const std::uint8_t* codes, std::uint32_t floor, Seed& match) {
  match.position = locate(text.fm, match.rows.begin);
  const TextPos limit = text.genome.segments[segment_at(text.genome, match.position)].text_begin;
  while (match.begin > floor && match.position > limit &&
         codes[match.begin - 1] == text.genome.text[match.position - 1]) {
    --match.begin, --match.position;
  }
}

/// The longest match of codes [?, end) that does not begin before `floor` and has at least `min_rows` rows.
/// Empty ({end, end}) when not even the last base has. One of at least `min_length` bases may come located.
WS_HD inline Seed longest_match(const SeedText& text, const std::uint8_t* codes, std::uint32_t floor, std::uint32_t end,
                                std::uint64_t min_rows, std::uint32_t min_length) {
  Seed match = {end, end, {0, text.fm.row_count()}, not_located};
  if (text.fm.kmer_length > 0 && end - floor >= text.fm.kmer_length) {
    match = match_from_table(text.fm, codes, end, min_rows);
  }
  while (match.begin > floor && codes[match.begin - 1] < 4) {
    if (match.rows.count() == 1 && match.length() >= min_length) {
      follow_in_text(text, codes, floor, match);
      break;
    }
    const RowRange rows = extend_left(text.fm, match.rows, codes[match.begin - 1]);
    if (rows.begin >= rows.end || rows.count() < min_rows) break;
    match.rows = rows;
    --match.begin;
  }
  return match;
}

/// Calls emit(seed) for the matches in codes [floor, end), from right to left: see the file's head.
template <class Emit>
WS_HD inline void for_matches(const SeedText& text, const std::uint8_t* codes, std::uint32_t floor, std::uint32_t end,
                              std::uint64_t min_rows, std::uint32_t min_length, std::uint32_t stride, Emit emit) {
  while (end >= floor + min_length) {
    const Seed match = longest_match(text, codes, floor, end, min_rows, min_length);
    if (match.length() >= min_length) {
      emit(match);
      if (match.begin == floor) return;
      end = match.begin - 1 + min_length;
    } else {
      end = end > stride ? end - stride : 0;
    }
  }
}

/// The shortest match of codes [?, end) that is as long as a seed and has
/// at most `max_rows` rows. Empty where no such match ends here; `begin` then tells how far the search went.
WS_HD inline Seed rare_match(const SeedText& text, const std::uint8_t* codes, std::uint32_t end, std::uint64_t max_rows,
                             std::uint32_t min_length) {
  Seed match = {end, end, {0, text.fm.row_count()}, not_located};
  if (text.fm.kmer_length > 0 && end >= text.fm.kmer_length) match = match_from_table(text.fm, codes, end, 1);
  while (match.length() < min_length || match.rows.count() > max_rows) {
    RowRange rows = {0, 0};
    if (match.begin > 0 && codes[match.begin - 1] < 4) rows = extend_left(text.fm, match.rows, codes[match.begin - 1]);
    if (rows.begin >= rows.end) return {match.begin, match.begin, rows, not_located};
    match.rows = rows;
    --match.begin;
  }
  return match;
}

/// Calls emit(seed) for matches side by side, from right to left, each no longer than it takes to be rare: where a read
/// lies in a family of repeats, all members near enough are among them, not those alone that share most.
template <class Emit>
WS_HD inline void for_rare_matches(const SeedText& text, const std::uint8_t* codes, std::uint32_t length,
                                   std::uint64_t max_rows, std::uint32_t min_length, Emit emit) {
  std::uint32_t end = length;
  while (end >= min_length) {
    const Seed match = rare_match(text, codes, end, max_rows, min_length);
    if (match.length() > 0) emit(match);
    if (match.begin == 0) return;
    end = match.length() > 0 ? match.begin : match.begin - 1;
  }
}

/// All seeds of one orientation of a read. Long seeds with few occurrences are searched once more, coarsely, for
/// parts that occur more often, so that a near-copy of the best place is seen as well; where something occurs more than
/// once, the rare matches are seeds, too. Calls emit(seed).
template <class Emit>
WS_HD inline void find_seeds(const SeedText& text, const std::uint8_t* codes, std::uint32_t length,
                             const AlignOptions& options, Emit emit) {
  const std::uint32_t min_length = options.min_seed;
  const auto reseed_length = static_cast<std::uint32_t>(static_cast<float>(min_length) * options.reseed_factor + 0.5F);
  bool repeated = false;
  const auto pass_on = [&](const Seed& seed) {
    repeated = repeated || seed.rows.count() > 1;
    emit(seed);
  };
  for_matches(text, codes, 0, length, 1, min_length, 1, [&](const Seed& seed) {
    pass_on(seed);
    if (seed.length() < reseed_length || seed.rows.count() > options.reseed_rows) return;
    for_matches(text, codes, seed.begin, seed.end, seed.rows.count() + 1, min_length, min_length, pass_on);
  });
  if (repeated) for_rare_matches(text, codes, length, options.rare_rows, min_length, emit);
}

}  // namespace warpseed
