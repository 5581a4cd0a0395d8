// Pairs and single reads in one file of FASTQ or FASTA: adjacent reads of one name are mates.
#pragma once

#include <cstdint>
#include <utility>

#include "reads/read_prefetcher.hpp"
#include "reads/read_source.hpp"

namespace warpseed::reads {

/// Implements open_reads() for ReadInput::with_singles. Of several reads of one name the first two are mates, the next
/// two, and so on.
class MixedSource final : public ReadSource {
 public:
  explicit MixedSource(ReadParser parser) : reads_(std::move(parser)) {}

  /// Copies no reads if calls ask for the same number, and for one less after one more was returned.
  bool next(ReadBatch& batch, std::uint64_t count) override;
  bool paired() const override { return true; }
  std::optional<SourcePosition> position() const override;

 private:
  void take(std::uint64_t count);
  void fill(ReadBatch& batch, std::uint64_t count);

  ReadPrefetcher reads_;
  ReadPortion ahead_;      // reads taken from reads_ that have not been returned
  bool one_more_ = false;  // the last call returned one read more than it was asked for
};

}  // namespace warpseed::reads
