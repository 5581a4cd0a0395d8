// Builds the records of a read from its chosen alignments: flags, mates, tags, split and alternative alignments.
#pragma once

#include <cstdint>
#include <vector>

#include "align/pair/pairing.hpp"
#include "align/record/path.hpp"
#include "index/index_file.hpp"
#include "records/alignment_record.hpp"

namespace warpseed::align {

/// The records of one read: the primary first, then supplementary and, if requested, secondary ones.
using ReadRecords = std::vector<records::AlignmentRecord>;

/// Threads: one builder per thread.
class RecordBuilder {
 public:
  RecordBuilder(const index::Index& index, const AlignOptions& options)
      : index_(index), options_(options), tracer_(index.genome(), options) {}

  ReadRecords single(const ReadAlignments& aligned, const Choice& choice);

  /// Records of a long read.
  ReadRecords long_read(const ReadAlignments& aligned);

  /// Records of both mates, each with its mate fields set.
  std::pair<ReadRecords, ReadRecords> pair(const ReadAlignments& first, const ReadAlignments& second,
                                           const ChoicePair& choices);

 private:
  records::AlignmentRecord record_of(const Alignment& alignment, const ReadAlignments& aligned, std::int32_t mapq);
  static records::AlignmentRecord record_of(const Alignment& alignment, Path path, std::int32_t mapq);
  std::string alternatives_of(const ReadAlignments& aligned, std::int32_t winner);
  std::string position_text(const records::AlignmentRecord& record, bool signed_position) const;
  void link_splits(ReadRecords& records, std::size_t split_count) const;

  const index::Index& index_;
  const AlignOptions& options_;
  PathTracer tracer_;
};

}  // namespace warpseed::align
