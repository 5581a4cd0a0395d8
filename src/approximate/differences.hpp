// What a search with differences is asked for.
#pragma once

#include <cstdint>
#include <stdexcept>

#include "core/types.hpp"
#include "warpseed/sequence.hpp"

namespace warpseed::approximate {

/// How a pattern may differ from the text.
enum class Metric {
  mismatches,  // Hamming distance
  edits,       // Levenshtein distance: mismatches, inserted and deleted bases
};

constexpr unsigned max_differences = 8;

/// Returns call.operator()<K>() for K = differences. Throws std::invalid_argument for more than max_differences.
template <unsigned K = 0, class Call>
auto with_constant(unsigned differences, const Call& call) -> decltype(call.template operator()<0>()) {
  if (differences == K) return call.template operator()<K>();
  if constexpr (K < max_differences) return with_constant<K + 1>(differences, call);
  throw std::invalid_argument("approximate search: too many differences");
}

/// How a search is done; the results are the same.
enum class Method {
  cheaper,  // by the expected costs of both
  index,    // parts of patterns are followed in the index
  scan,     // the text is compared with all patterns, where their lengths and codes allow it
};

struct SearchOptions {
  Metric metric = Metric::mismatches;
  unsigned differences = 0;  // at most these, and at most max_differences
  Strands strands = Strands::both;
  Method method = Method::cheaper;

  // The first and last bases of a pattern that are to match, as those of a guide's PAM.
  std::uint32_t exact_begin = 0, exact_end = 0;

  // Bases of a bulge that are allowed besides mismatches, at most max_bulges; with mismatches only.
  unsigned bulges = 0;
};

/// The end of an alignment of a pattern to the text, and its number of differences.
struct AlignmentEnd {
  TextPos end = 0;  // the position after the last aligned base
  std::uint32_t differences = 0;

  friend auto operator<=>(const AlignmentEnd&, const AlignmentEnd&) = default;
};

}  // namespace warpseed::approximate
