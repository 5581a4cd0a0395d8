// Finds the ends of all alignments of patterns with few enough differences, on one backend.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "approximate/differences.hpp"
#include "approximate/pattern_batch.hpp"
#include "core/backend.hpp"
#include "core/zero_pages.hpp"
#include "index/fm_core.hpp"
#include "text/genome_core.hpp"

namespace warpseed::approximate {

/// Ends of several patterns. Those of a pattern are sorted by end, each end once with its fewest differences.
struct EndBatch {
  std::vector<std::span<const AlignmentEnd>> of_patterns;  // within `ends`
  std::vector<ZeroedArray<AlignmentEnd>> ends;

  // Patterns that may be given up and have been, sorted: their ends are not all.
  std::vector<std::uint32_t> given_up;

  EndBatch() = default;
  EndBatch(EndBatch&&) = default;  // a copy would refer to the ends of the original
  EndBatch& operator=(EndBatch&&) = default;
};

/// The search in one index: parts of the patterns are followed in the index, and the rows that are left are verified in
/// the text.
/// Threads: one caller at a time.
class EndSearch {
 public:
  virtual ~EndSearch() = default;

  /// The ends of each pattern of the batch. Throws IoError or BackendError if memory does not suffice.
  virtual EndBatch find(const StrandBatch& batch) = 0;
};

/// What is searched; owns nothing.
struct Target {
  text::GenomeView genome;
  index::FmView fm;
};

/// Throws IoError if host memory does not suffice for the ends of rows to verify, where each row is certain to give one:
/// in a search without differences. For backends.
void require_memory_for(std::uint64_t rows, unsigned differences);

/// `target` must outlive the search. Throws BackendError if the index does not fit the device.
std::unique_ptr<EndSearch> make_end_search(const Target& target, const Backend& backend, const SearchOptions& options);

}  // namespace warpseed::approximate
