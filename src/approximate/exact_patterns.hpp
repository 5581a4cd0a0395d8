// Exact search of patterns of IUPAC codes, on one strand or both.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "approximate/approximate_search.hpp"
#include "approximate/pattern_batch.hpp"
#include "index/exact_search.hpp"

namespace warpseed::approximate {

/// A code matches each base that it stands for. Patterns of A, C, G, T alone are found as rows of the index
/// (index::ExactSearch); others by a search with no differences, whose occurrences are held in memory.
/// An empty pattern occurs nowhere.
/// Threads: one caller at a time.
class ExactPatterns {
 public:
  /// How often a pattern occurs on each strand; 0 on one that is not searched.
  struct StrandCounts {
    std::uint64_t forward = 0, reverse = 0;

    std::uint64_t total() const { return forward + reverse; }
  };

  /// `target` must outlive the search. Throws BackendError if the index does not fit the device; with a device, the
  /// first pattern with other codes takes the memory of a second copy.
  ExactPatterns(const Target& target, const Backend& backend, Strands strands);

  /// Searches a batch. Throws IoError if memory does not suffice.
  void find(const SetBatch& patterns);

  /// Of the batch: [patterns].
  std::vector<StrandCounts> counts() const;

  /// All occurrences of patterns [first, last) of the batch, sorted. Of a pattern with more than max_hits, takes those
  /// that index::ExactSearch::locate() would; of one with other codes the first ones.
  /// Memory: 24 bytes per hit. Throws IoError if memory does not suffice.
  index::OccurrenceBatch locate(std::uint64_t first, std::uint64_t last, std::uint64_t max_hits);

 private:
  static constexpr std::uint64_t by_rows = ~std::uint64_t{0};

  Target target_;
  Backend backend_;
  Strands strands_;
  index::ExactSearch rows_search_;
  std::unique_ptr<ApproximateSearch> ambiguous_search_;  // made for the first pattern that needs it
  std::vector<index::StrandRows> rows_;                  // [patterns]
  std::vector<std::uint64_t> ambiguous_number_;          // [patterns] in ambiguous_search_'s batch, or by_rows
};

}  // namespace warpseed::approximate
