// Finds the occurrences of patterns in a genome, on one strand or both.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/backend.hpp"
#include "index/searcher.hpp"
#include "text/alphabet.hpp"

namespace warpseed::index {

/// The rows of a pattern and of its reverse complement; {} for a strand that is not searched.
struct StrandRows {
  RowRange forward;
  RowRange reverse;

  std::uint64_t count() const { return forward.count() + reverse.count(); }
};

/// An occurrence: its strand, and the text position where it starts on the forward strand.
/// The sort order is contig, start, strand (forward first).
class Occurrence {
 public:
  Occurrence() = default;
  Occurrence(TextPos position, bool reverse) : key_(position << 1 | (reverse ? 1 : 0)) {}

  TextPos position() const { return key_ >> 1; }
  bool reverse() const { return key_ & 1; }
  friend auto operator<=>(const Occurrence&, const Occurrence&) = default;

 private:
  std::uint64_t key_ = 0;
};

/// Occurrences of several patterns, concatenated.
struct OccurrenceBatch {
  std::vector<Occurrence> hits;
  std::vector<std::uint64_t> offsets = {0};  // [patterns + 1]
};

/// Exact search on both strands.
/// Threads: one search per thread; searches may share an index.
class ExactSearch {
 public:
  /// `fm` must outlive the search. Throws BackendError if the index does not fit the device.
  ExactSearch(const FmView& fm, const Backend& backend, Strands strands);

  /// The rows of each pattern; empty patterns and patterns with an N have none.
  std::vector<StrandRows> find(const PatternBatch& patterns);

  /// All occurrences of each pattern, sorted. Of a pattern with more than max_hits rows, takes only the first max_hits,
  /// those of the forward strand first.
  /// Memory: 24 bytes per hit. Throws IoError if memory does not suffice.
  OccurrenceBatch locate(std::span<const StrandRows> patterns, std::uint64_t max_hits);

 private:
  std::unique_ptr<Searcher> searcher_;
  Strands strands_;
  int threads_;
};

}  // namespace warpseed::index
