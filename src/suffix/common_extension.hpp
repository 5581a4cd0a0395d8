// How far the text goes on equally from two places, for many pairs of places.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "core/backend.hpp"
#include "suffix/common_extension_core.hpp"
#include "text/genome_core.hpp"

namespace warpseed::suffix {

/// How long the steps of making a CommonExtension took, in seconds.
struct ExtensionTimes {
  double sort = 0, inverse = 0, lcp = 0, rmq = 0;
};

/// Answers how many bases two places of one text share from there on.
///
/// The first 64 bases are compared; where all agree, the answer is the smallest entry of the LCP array between the
/// ranks of the two suffixes.
/// Cost:    two random accesses to the text, for long answers two more to the ranks and a range minimum.
/// Memory:  8.7 bytes a symbol beside the text, twice that for 64-bit positions; on a device 9, the text included.
/// Threads: one thread a CommonExtension.
template <class Pos>
class CommonExtension {
 public:
  virtual ~CommonExtension() = default;

  /// lengths[i]: the bases from pairs[i].first and from pairs[i].second that are equal, up to the first difference and
  /// never over a separator; of a place with itself, the bases to its segment's end.
  ///
  /// pairs: [count] text positions; lengths: [count].
  /// Throws std::invalid_argument if the sizes differ or a position lies beyond the text, BackendError if a device
  /// fails.
  virtual void lengths(std::span<const PositionPair<Pos>> pairs, std::span<Pos> lengths) = 0;

  const ExtensionTimes& times() const { return times_; }

 protected:
  ExtensionTimes times_;
};

/// Sorts the suffixes and makes inverse, LCP array and minima. The genome must outlive the result.
/// Pos: std::uint32_t for texts of at most narrow_limit symbols; std::uint64_t for any, on the CPU whatever
/// the backend.
/// Throws std::invalid_argument if Pos is too narrow, IoError or BackendError if memory does not suffice.
template <class Pos>
std::unique_ptr<CommonExtension<Pos>> make_common_extension(const text::GenomeView& genome, const Backend& backend);

extern template std::unique_ptr<CommonExtension<std::uint32_t>> make_common_extension(const text::GenomeView&,
                                                                                      const Backend&);
extern template std::unique_ptr<CommonExtension<std::uint64_t>> make_common_extension(const text::GenomeView&,
                                                                                      const Backend&);

}  // namespace warpseed::suffix
