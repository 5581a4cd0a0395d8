// Exact search of patterns in an index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string_view>
#include <vector>

#include "warpseed/context.hpp"
#include "warpseed/index.hpp"
#include "warpseed/sequence.hpp"

namespace warpseed {

/// A pattern's bases at [position, position + its length) of a contig, on the forward or the reverse strand.
struct Occurrence {
  std::size_t contig = 0;
  std::uint64_t position = 0;  // 0-based, on the forward strand
  bool reverse = false;        // the contig has the pattern's reverse complement there

  friend bool operator==(const Occurrence&, const Occurrence&) = default;
};

/// How often a pattern occurs on each strand; 0 on a strand that is not searched.
struct StrandCounts {
  std::uint64_t forward = 0, reverse = 0;

  std::uint64_t total() const { return forward + reverse; }
  friend bool operator==(const StrandCounts&, const StrandCounts&) = default;
};

/// Counts and locates patterns by backward search. Patterns are IUPAC codes in either case, U as T; a code matches
/// each base that it stands for (N: all). An empty pattern occurs nowhere, and no occurrence covers an N of the genome
/// or crosses a contig's end.
///
/// Cost:    O(pattern length) per pattern, whatever the genome's size, and some steps per located occurrence.
/// Threads: one caller at a time; the work of a batch is spread over the context's threads, or done on its GPU.
class Searcher {
 public:
  /// Throws BackendError if the index does not fit the device.
  explicit Searcher(const Index& index, const Context& context = Context(), Strands strands = Strands::both);
  Searcher(Searcher&&) noexcept;
  Searcher& operator=(Searcher&&) noexcept;
  ~Searcher();

  /// How often each pattern occurs: [patterns]. Throws InputError for a letter outside IUPAC.
  std::vector<std::uint64_t> count_batch(const std::vector<std::string_view>& patterns);
  std::uint64_t count(std::string_view pattern);

  /// The same by strand: [patterns].
  std::vector<StrandCounts> count_strands_batch(const std::vector<std::string_view>& patterns);

  /// Where each pattern occurs: [patterns], by contig, position and strand. Of a pattern with more than max_hits
  /// occurrences, that many. Throws InputError for a letter outside IUPAC, IoError if memory does not suffice.
  std::vector<std::vector<Occurrence>> locate_batch(const std::vector<std::string_view>& patterns,
                                                    std::uint64_t max_hits = std::numeric_limits<std::uint64_t>::max());
  std::vector<Occurrence> locate(std::string_view pattern,
                                 std::uint64_t max_hits = std::numeric_limits<std::uint64_t>::max());

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpseed
