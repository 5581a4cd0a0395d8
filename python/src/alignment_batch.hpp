// The alignments of many reads, and one of them with the names of mappy.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "index_handle.hpp"
#include "warpseed/aligner.hpp"

namespace warpseed::python {

/// Reads, and what keeps their texts in memory: Python's objects or a text of their own. Of pairs, reads 2i and 2i + 1
/// are mates.
struct ReadTexts {
  std::vector<std::string_view> names;      // [reads or pairs]; empty for none
  std::vector<std::string_view> bases;      // [reads]
  std::vector<std::string_view> qualities;  // [reads]; empty for none
  std::vector<pybind11::object> objects;
  std::vector<std::unique_ptr<std::string>> texts;
};

/// The result of one call of an aligner.
struct AlignmentBatch {
  std::shared_ptr<const IndexHandle> index;
  bool paired = false;
  std::string read_group = {};  // ID; empty for none
  ReadTexts reads;
  std::vector<Alignments> alignments;  // [reads]

  std::size_t mates() const { return paired ? 2 : 1; }
  std::size_t size() const { return reads.bases.size() / mates(); }  // reads or pairs
};

/// How many bases a CIGAR has of each kind.
struct CigarBases {
  std::int64_t clipped_begin = 0, clipped_end = 0, paired = 0, inserted = 0, deleted = 0;

  explicit CigarBases(std::string_view cigar);
  std::int64_t columns() const { return paired + inserted + deleted; }
  std::int64_t query() const { return paired + inserted; }
  std::int64_t query_begin(bool reverse) const { return reverse ? clipped_end : clipped_begin; }  // as sequenced
  std::int64_t matches(std::int64_t edit_distance) const { return paired - (edit_distance - inserted - deleted); }
};

/// One alignment of a read of a batch, which it keeps in memory.
class AlignedRead {
 public:
  AlignedRead(std::shared_ptr<const AlignmentBatch> batch, std::size_t read, std::size_t number)
      : batch_(std::move(batch)), read_(read), alignment_(&batch_->alignments[read][number]) {}

  const Alignment& alignment() const { return *alignment_; }
  const AlignmentBatch& batch() const { return *batch_; }
  std::size_t read() const { return read_; }
  Contig contig() const { return batch_->index->index().contig(alignment_->contig); }
  CigarBases cigar_bases() const { return CigarBases(alignment_->cigar); }

  int read_number() const { return batch_->paired ? 1 + static_cast<int>(read_ % 2) : 1; }
  std::int64_t query_begin() const { return cigar_bases().query_begin(alignment_->reverse); }
  std::int64_t query_end() const { return query_begin() + cigar_bases().query(); }
  std::int64_t matches() const { return cigar_bases().matches(alignment_->edit_distance); }  // equal bases
  std::string unclipped_cigar() const;                                                       // without S and H
  std::string_view name() const;  // of the read; empty if it has none
  std::string_view query() const { return batch_->reads.bases[read_]; }
  std::optional<std::pair<std::size_t, std::uint64_t>> next_position() const;  // contig and position of SAM's RNEXT
  std::string_view qualities() const;                                          // empty if the read has none

 private:
  std::shared_ptr<const AlignmentBatch> batch_;
  std::size_t read_;
  const Alignment* alignment_;
};

}  // namespace warpseed::python
