// Exact search of many short patterns in one index.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/backend.hpp"
#include "index/fm_core.hpp"
#include "text/genome_core.hpp"

namespace warpseed::index {

/// Concatenated patterns, so that a batch moves to the GPU in two copies.
struct PatternBatch {
  std::vector<std::uint8_t> codes;           // [total length] A=0 C=1 G=2 T=3 N=4
  std::vector<std::uint64_t> offsets = {0};  // [count + 1] pattern i is codes[offsets[i], offsets[i+1])

  std::uint64_t count() const { return offsets.size() - 1; }
  void add(std::span<const std::uint8_t> pattern);
};

/// Finds patterns in one index by backward search on one backend.
///
/// Source:  Ferragina and Manzini, FOCS 2000, algorithm BW_Search.
/// Cost:    O(total pattern length) rank queries; independent of the text length.
/// Memory:  the CUDA searcher keeps a copy of the index on its device, and 8 bytes per pattern during find().
/// Threads: one searcher per thread; searchers may share an index.
class Searcher {
 public:
  virtual ~Searcher() = default;

  /// Writes to rows[i] the suffix array rows that start with pattern i ({} if it does not occur).
  /// An empty pattern matches every row; an N matches nothing. The batch may be empty.
  ///
  /// patterns: [count] codes 0..4;  rows: [count], same order; row numbers, not text positions.
  /// Throws std::invalid_argument if the sizes differ, BackendError if the device fails.
  virtual void find(const PatternBatch& patterns, std::span<RowRange> rows) = 0;

  /// Writes to positions[i] the text position of row rows[i]; rows: [count], each below row_count.
  virtual void locate(std::span<const Row> rows, std::span<TextPos> positions) = 0;
};

/// `fm` must outlive the searcher. Throws BackendError if the index does not fit the device.
std::unique_ptr<Searcher> make_searcher(const FmView& fm, const Backend& backend);

}  // namespace warpseed::index
