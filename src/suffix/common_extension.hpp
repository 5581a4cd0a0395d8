// Longest common extension of two positions of a text, for many pairs of positions.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "core/backend.hpp"
#include "suffix/common_extension_core.hpp"
#include "text/genome_core.hpp"

namespace warpseed::suffix {

/// Seconds that the steps of building a CommonExtension took.
struct ExtensionTimes {
  double sort = 0, inverse = 0, lcp = 0, rmq = 0;
};

/// Longest common extension (LCE) queries: the number of equal bases from two positions of one text on.
///
/// The first 64 bases are compared; if all agree, the answer is the minimum of the LCP array between the ranks of the
/// two suffixes.
/// Cost:    two random accesses to the text, for long answers two more to the ranks and a range minimum.
/// Memory:  8.7 bytes per symbol in addition to the text, twice that for 64-bit positions; 9 with the text on a device.
/// Threads: one thread per CommonExtension.
template <class Pos>
class CommonExtension {
 public:
  virtual ~CommonExtension() = default;

  /// lengths[i]: the number of equal bases from pairs[i].first and pairs[i].second on, up to the first difference or
  /// separator; for two equal positions, the bases to the segment's end.
  ///
  /// pairs: [count] text positions; lengths: [count].
  /// Throws std::invalid_argument if the sizes differ or a position is past the end of the text, BackendError if a
  /// device fails.
  virtual void lengths(std::span<const PositionPair<Pos>> pairs, std::span<Pos> lengths) = 0;

  const ExtensionTimes& times() const { return times_; }

 protected:
  ExtensionTimes times_;
};

/// Builds suffix array, inverse, LCP array and range minima. The genome must outlive the result.
/// Pos: std::uint32_t for texts of at most narrow_limit symbols; std::uint64_t for any, always on the CPU.
/// Throws std::invalid_argument if Pos is too narrow, IoError or BackendError if memory does not suffice.
template <class Pos>
std::unique_ptr<CommonExtension<Pos>> make_common_extension(const text::GenomeView& genome, const Backend& backend);

extern template std::unique_ptr<CommonExtension<std::uint32_t>> make_common_extension(const text::GenomeView&,
                                                                                      const Backend&);
extern template std::unique_ptr<CommonExtension<std::uint64_t>> make_common_extension(const text::GenomeView&,
                                                                                      const Backend&);

}  // namespace warpseed::suffix
