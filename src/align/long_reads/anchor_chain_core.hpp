// What a chain of anchors gains by another anchor, and what bounds the search for the best chains.
#pragma once

#include <cstdint>
#include <limits>

#include "align/long_reads/anchor.hpp"
#include "core/bits.hpp"
#include "core/host_device.hpp"

namespace warpseed::align {

/// The predecessor of an anchor that begins a chain.
constexpr std::uint32_t no_anchor = std::numeric_limits<std::uint32_t>::max();

constexpr std::int64_t max_anchor_distance = 20'000;  // between neighbours, in the read and in the genome
constexpr std::uint32_t max_lookback = 2'000;         // anchors before one that are tried as its predecessor
constexpr std::uint32_t max_skipped = 25;             // of these, ones in a chain that is known to be worse
constexpr std::int32_t min_chain_score = 40;
constexpr std::int32_t impossible_gain = std::numeric_limits<std::int32_t>::min();

/// The cost of a change of diagonal by `apart` bases between anchors with `between` bases between them: 0.15 a base,
/// half the logarithm, and more for what scattered errors do not explain, so that two gaps that cancel each other are
/// not worth an anchor or two.
WS_HD inline std::int32_t change_cost(std::int64_t apart, std::int64_t between) {
  if (apart == 0) return 0;
  constexpr std::int64_t most_sudden = 60;
  const std::int64_t more = apart - between / 8;
  const std::int64_t sudden = more < 0 ? 0 : more > most_sudden ? most_sudden : more;
  return static_cast<std::int32_t>(apart * 39 / 256 + sudden / 2) +
         static_cast<std::int32_t>(63 - leading_zeros(static_cast<std::uint64_t>(apart) + 1)) / 2;
}

/// Are the ends of two anchors of a strand, the first one's before, too far apart in the genome for a chain?
WS_HD inline bool is_too_far(const Anchor& last, const Anchor& anchor) {
  return static_cast<std::int64_t>(anchor.genome_end() - last.genome_end()) > max_anchor_distance + anchor.length;
}

/// What `anchor` adds to the score of a chain on its strand that ends with `last`; impossible_gain if it cannot follow.
WS_HD inline std::int32_t chain_gain(const Anchor& last, const Anchor& anchor) {
  const auto in_read = static_cast<std::int64_t>(anchor.query_end()) - last.query_end();
  const auto in_genome = static_cast<std::int64_t>(anchor.genome_end() - last.genome_end());
  if (in_read <= 0 || in_genome <= 0 || in_read > max_anchor_distance + anchor.length) return impossible_gain;
  if (anchor.query_begin <= last.query_begin || anchor.genome_begin <= last.genome_begin) return impossible_gain;
  if (anchor.contig != last.contig) return impossible_gain;
  const std::int64_t apart = in_read < in_genome ? in_genome - in_read : in_read - in_genome;
  const std::int64_t shorter = in_read < in_genome ? in_read : in_genome;
  const std::int64_t between = shorter - anchor.length;
  const std::int64_t added = between < 0 ? shorter : anchor.length;
  return static_cast<std::int32_t>(added) - change_cost(apart, between < 0 ? 0 : between);
}

}  // namespace warpseed::align
