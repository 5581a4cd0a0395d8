// Where patterns stand in a genome, on one strand or both.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/backend.hpp"
#include "index/searcher.hpp"
#include "text/alphabet.hpp"

namespace warpseed::index {

/// Rows of a pattern, and of its reverse complement; {} for a strand that is not searched.
struct StrandRows {
  RowRange forward;
  RowRange reverse;

  std::uint64_t count() const { return forward.count() + reverse.count(); }
};

/// An occurrence: the text position where it starts on the forward strand, whichever strand it is on.
/// Sorted, hits are in the order of contig, start, strand (forward first).
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

/// Hits of several patterns, laid end to end.
struct OccurrenceBatch {
  std::vector<Occurrence> hits;
  std::vector<std::uint64_t> offsets = {0};  // [patterns + 1]
};

/// Exact search over both strands.
/// Threads: one search a thread; searches may share an index.
class ExactSearch {
 public:
  /// `fm` must outlive the search. Throws BackendError if the index does not fit the device.
  ExactSearch(const FmView& fm, const Backend& backend, text::Strands strands);

  /// The rows of each pattern; an empty pattern and one with an N occur nowhere.
  std::vector<StrandRows> find(const PatternBatch& patterns);

  /// All occurrences of each pattern, sorted. Of a pattern with more than max_hits only the first max_hits rows
  /// are taken, the forward strand's before the reverse one's.
  /// Memory: 24 bytes a hit. Throws IoError if that does not suffice.
  OccurrenceBatch locate(std::span<const StrandRows> patterns, std::uint64_t max_hits);

 private:
  std::unique_ptr<Searcher> searcher_;
  text::Strands strands_;
  int threads_;
};

}  // namespace warpseed::index
