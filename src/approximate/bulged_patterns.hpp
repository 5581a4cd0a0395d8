// A batch of patterns in all their bulge forms, which are searched as patterns without gaps, and the choice among the
// alignments that are found.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "approximate/bulges.hpp"
#include "approximate/differences.hpp"
#include "approximate/pattern_batch.hpp"

namespace warpseed::approximate {

/// The end of an alignment of a pattern in one of its bulge forms. Its differences are mismatches and bulges.
struct BulgedEnd {
  AlignmentEnd end;
  std::uint32_t form = 0;

  friend auto operator<=>(const BulgedEnd&, const BulgedEnd&) = default;
};

/// For searches with bulges.
class BulgedPatterns {
 public:
  explicit BulgedPatterns(const SearchOptions& options) : options_(options) {}

  /// All patterns in all their forms; those of pattern i are [first(i), first(i + 1)).
  /// Throws std::invalid_argument for a pattern that is not empty and whose bases that may differ are not more than the
  /// differences and twice the bulges.
  SetBatch in_all_forms(const SetBatch& patterns);
  std::uint64_t first(std::uint64_t i) const { return firsts_[i]; }

  /// The operations of an alignment of pattern i, from those of an alignment of one of its forms without gaps. Both are
  /// read along the text; reverse: the pattern's reverse complement is aligned.
  std::string with_gaps(const std::string& ungapped, std::uint64_t i, bool reverse, std::uint32_t form) const;

  /// Chooses among the ends of pattern i on one strand, as ApproximateSearch says. ends: of each form, the AlignmentEnd's
  /// of the form without its bulges. Sorted by end.
  std::vector<BulgedEnd> best_of(std::uint64_t i, bool reverse,
                                 std::span<const std::span<const AlignmentEnd>> ends) const;

 private:
  const std::vector<BulgeForm>* forms_for(std::uint64_t pattern_length);

  SearchOptions options_;
  std::map<std::uint64_t, std::vector<BulgeForm>> forms_;  // by the pattern's length
  std::vector<const std::vector<BulgeForm>*> forms_of_;    // [patterns]
  std::vector<std::uint64_t> firsts_;                      // [patterns + 1]
  std::vector<std::uint64_t> lengths_;                     // [patterns]
};

}  // namespace warpseed::approximate
