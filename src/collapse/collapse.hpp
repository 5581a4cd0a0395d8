// Finds and counts identical reads or pairs.
#pragma once

#include <cstdint>
#include <vector>

#include "core/backend.hpp"
#include "reads/read_batch.hpp"
#include "reads/read_source.hpp"
#include "warpseed/progress.hpp"

namespace warpseed::collapse {

/// All reads of an input in memory: their text and 32 bytes per read.
class ReadStore {
 public:
  /// Reads to the end of `source`. Throws the same as ReadSource::next(), and InputError for 2^32 - 1 reads or more.
  ReadStore(reads::ReadSource& source, const ProgressCallback& progress);

  std::uint64_t size() const { return size_; }
  std::uint64_t bases() const { return bases_; }
  reads::ReadView operator[](std::uint64_t i) const { return batches_[i / batch_reads][i % batch_reads]; }

  /// Whether every non-empty read has qualities.
  bool with_qualities() const { return with_qualities_; }

 private:
  static constexpr std::uint64_t batch_reads = 1 << 15;

  std::vector<reads::ReadBatch> batches_;  // each of batch_reads, except the last
  std::uint64_t size_ = 0, bases_ = 0;
  bool with_qualities_ = true;
};

enum class Representative { best, first };
enum class CollapseOrder { count, input };

struct CollapseOptions {
  bool paired = false;              // units are pairs: reads 2i and 2i + 1
  bool reverse_complement = false;  // a read equals its reverse complement, a pair equals itself with mates swapped
  Representative representative = Representative::best;
  CollapseOrder order = CollapseOrder::count;
  std::uint64_t min_count = 1;
};

/// Units (reads, or pairs) with the same bases.
struct Collapsed {
  std::uint32_t representative = 0;  // the unit that is written for them
  std::uint32_t first = 0;           // the first one in the input
  std::uint32_t count = 0;

  friend bool operator==(const Collapsed&, const Collapsed&) = default;
};

struct CollapseResult {
  std::vector<Collapsed> kept;  // with at least min_count units, in the requested order
  std::uint64_t distinct = 0;   // before min_count
};

/// Finds units with the same bases, ignoring case. Each IUPAC character matches itself only, so N matches N only. With
/// reverse_complement U counts as T.
///
/// Representative::best: the greatest sum of qualities, which for equal lengths is the best mean; of equals, and
/// without qualities, the first.
/// CollapseOrder::count: most frequent first, of equals the one whose first unit came first. input: by first unit.
/// Cost: one string sort (sort/string_sort.hpp) over all bases on `backend`; the result does not depend on it.
/// Memory: in addition to the store, the bases again and about 40 bytes per unit. Throws IoError if that is not
/// available, std::invalid_argument for pairs if the number of reads is odd.
CollapseResult collapse(const ReadStore& reads, const CollapseOptions& options, const Backend& backend);

}  // namespace warpseed::collapse
