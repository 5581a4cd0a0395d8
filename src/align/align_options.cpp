#include "align/align_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "warpseed/error.hpp"

namespace warpseed::align {

namespace {

/// NaN is in no range.
template <class T>
void require_range(std::string_view name, T value, T low, T high) {
  if (value >= low && value <= high) return;
  throw InputError(fmt::format("{} is {}; give a number from {} to {}", name, value, low, high));
}

void require_valid(const Scoring& scoring) {
  constexpr std::int32_t most_a_base = 1'000'000, most = 100'000'000;
  require_range("match", scoring.match, 1, 1000);
  require_range("mismatch", scoring.mismatch, 0, most_a_base);
  require_range("deletion_open", scoring.deletion_open, 0, most);
  require_range("insertion_open", scoring.insertion_open, 0, most);
  require_range("deletion_extend", scoring.deletion_extend, 1, most_a_base);
  require_range("insertion_extend", scoring.insertion_extend, 1, most_a_base);
  require_range("clip_begin", scoring.clip_begin, 0, most);
  require_range("clip_end", scoring.clip_end, 0, most);
  require_range("unpaired", scoring.unpaired, 0, most);
  require_range("drop", scoring.drop, 0, 1 << 30);
}

/// Differences of scores must fit 8 bits.
void require_valid(const LongScoring& scoring) {
  require_range("long match", scoring.match, 1, 20);
  require_range("long mismatch", scoring.mismatch, 1, 40);
  require_range("long gap_open", scoring.gap_open, 0, 40);
  require_range("long gap_extend", scoring.gap_extend, 1, 10);
  require_range("long long_gap_open", scoring.long_gap_open, 0, 50);
  require_range("long long_gap_extend", scoring.long_gap_extend, 1, 10);
  require_range("long drop", scoring.drop, 0, 1 << 20);
  require_range("long end_bonus", scoring.end_bonus, 0, 1 << 20);
}

}  // namespace

void require_valid(const AlignParameters& parameters) {
  require_valid(parameters.scoring);
  require_valid(parameters.long_scoring);
  require_range("min_seed", parameters.min_seed, 10U, 255U);
  require_range("band", parameters.band, 1, 10000);
  require_range("reseed_factor", parameters.reseed_factor, 0.1F, 1e6F);
  require_range("reseed_rows", parameters.reseed_rows, 0U, 1U << 20);
  require_range("rare_rows", parameters.rare_rows, 0U, 1U << 20);
  require_range("rival_edits", parameters.rival_edits, 0U, 1U << 20);
  require_range("max_occurrences", parameters.max_occurrences, 1U, 1U << 20);
  require_range("chain_drop", parameters.chain_drop, 0.0F, 1.0F);
  require_range("max_chains", parameters.max_chains, 1U, 1024U);
  require_range("max_diagonals", parameters.max_diagonals, 1U, 1U << 20);
  require_range("min_score", parameters.min_score, 0, 1 << 30);
  require_range("min_long_score", parameters.min_long_score, 1, 1 << 30);
  require_range("max_rescues", parameters.max_rescues, 0U, 100000U);
  require_range("alternative_ratio", parameters.alternative_ratio, 0.0F, 1.0F);
}

}  // namespace warpseed::align

namespace warpseed {

void apply_preset(std::string_view name, AlignParameters& parameters) {
  const auto is = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (is({"auto", "ont", "map-ont", "map-pb", "ont2d", "pacbio", "lr:hq"}))
    return;  // minimap2's scores are the defaults
  if (is({"sr"})) {
    parameters.long_reads = false;
  } else if (is({"hifi", "map-hifi"})) {
    LongScoring& scoring = parameters.long_scoring;
    scoring.match = 1, scoring.mismatch = 4, scoring.gap_open = 6, scoring.long_gap_open = 26;
    scoring.drop = 200, scoring.end_bonus = 5;
    parameters.min_long_score = 100;
  } else if (is({"intractg"})) {  // bwa's penalties; those of long gaps are of minimap2's asm10
    Scoring& scoring = parameters.scoring;
    LongScoring& long_scoring = parameters.long_scoring;
    scoring.mismatch = long_scoring.mismatch = 9;
    scoring.deletion_open = scoring.insertion_open = long_scoring.gap_open = 16;
    long_scoring.match = 1, long_scoring.long_gap_open = 41;
    long_scoring.drop = 200, long_scoring.end_bonus = 5;
    parameters.min_long_score = 200;
  } else {
    throw InputError(fmt::format("kind of reads (-x) \"{}\": auto, sr, hifi, ont or intractg", name));
  }
}

}  // namespace warpseed
