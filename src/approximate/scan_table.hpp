// The table of patterns that a scan of the text looks into, and whether the scan pays.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "approximate/differences.hpp"
#include "approximate/pattern_batch.hpp"
#include "approximate/scan_core.hpp"

namespace warpseed::approximate {

/// What a backend takes for the units of both methods, in nanoseconds of the whole backend.
struct SearchCosts {
  double step = 0;      // of the search in the index: a node extended
  double position = 0;  // of the scan: a text position and shape
  double key = 0;       // a part of a stretch that has the exact ends
  double entry = 0;     // an entry compared
};

/// The patterns of a batch by their keys.
class ScanTable {
 public:
  /// The table for a search of the batch with mismatches; nothing if the search in the index is the cheaper one, or if a
  /// pattern is longer than max_scan_length or has a key of too many codes.
  /// text_size: bases. Memory: 20 bytes for each pattern, strand and part, and for each key of ambiguous codes.
  static std::optional<ScanTable> make(const StrandBatch& batch, const SearchOptions& options, std::uint64_t text_size,
                                       const SearchCosts& costs);

  ScanView view() const;

  std::span<const ScanShape> shapes() const { return shapes_; }
  std::span<const std::uint32_t> bucket_begins() const { return bucket_begins_; }
  std::span<const BaseMasks> masks() const { return masks_; }
  std::span<const std::uint32_t> patterns() const { return patterns_; }

 private:
  friend class ScanTableBuilder;

  std::vector<ScanShape> shapes_;
  std::vector<std::uint32_t> bucket_begins_;
  std::vector<BaseMasks> masks_;
  std::vector<std::uint32_t> patterns_;
  std::uint32_t differences_ = 0;
};

}  // namespace warpseed::approximate
