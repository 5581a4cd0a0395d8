// Cuts reads into batches.
#pragma once

#include <algorithm>
#include <cstdint>

#include "align/pipeline/aligner.hpp"
#include "reads/read_range.hpp"
#include "reads/read_source.hpp"

namespace warpseed::align {

/// Reads batches that begin at multiples of Aligner::slice_reads, or one read later where that would part mates. So an
/// aligner learns insert sizes from the same slices whatever the size of the batches is.
/// Threads: one caller at a time.
class BatchReader {
 public:
  /// `source` must outlive the reader. It begins with read `first`, at the begin of a slice, or, with `one_more`, one read
  /// later.
  explicit BatchReader(reads::ReadSource& source, std::uint64_t first = 0, bool one_more = false)
      : source_(source), position_(first), asked_for_(first - (one_more ? 1 : 0)), one_more_(one_more ? 1 : 0) {}

  /// The number of the next read.
  std::uint64_t position() const { return position_; }

  /// Whether the last batch has one read more than was asked for.
  bool one_more() const { return one_more_ == 1; }

  /// Replaces the batch with the next reads; false if there are none. Of pairs `most` where the batch begins at a multiple of
  /// it, as it is one of slice_reads, else slice_reads, and so many at the begin of the source: all others wait until insert
  /// sizes are learnt from these. No more than up to the end of the slice that has read `end` - 1. Of single reads `most`,
  /// and none from `end` on.
  bool next(reads::ReadBatch& batch, std::uint64_t most, std::uint64_t end) {
    if (position_ >= end) return false;
    if (!source_.paired()) return read(batch, std::min(most, end - position_));
    std::uint64_t whole = asked_for_ % most == 0 ? most : Aligner::slice_reads;
    if (asked_for_ == 0) whole = std::min(whole, Aligner::slice_reads);
    const std::uint64_t slices = (end - asked_for_ - 1) / Aligner::slice_reads + 1;  // that begin before the end
    return read(batch, std::min(whole, slices * Aligner::slice_reads));
  }

  /// The same for reads before `end`: whole slices, or single reads, of which nothing is learnt.
  bool next_before(reads::ReadBatch& batch, std::uint64_t end) {
    const std::uint64_t begun = source_.paired() ? asked_for_ : position_, rest = end - std::min(end, begun);
    if (rest == 0 || (source_.paired() && rest < Aligner::slice_reads)) return false;
    return read(batch, std::min(rest, Aligner::slice_reads));
  }

 private:
  bool read(reads::ReadBatch& batch, std::uint64_t count) {
    const std::uint64_t asked = count - one_more_;
    asked_for_ += count;
    if (!source_.next(batch, asked)) return false;
    one_more_ = batch.size() > asked ? 1 : 0;
    position_ += batch.size();
    return true;
  }

  reads::ReadSource& source_;
  std::uint64_t position_;
  std::uint64_t asked_for_;  // reads; of single ones, there may be less
  std::uint64_t one_more_;   // 1: the last batch has one read more than was asked for
};

}  // namespace warpseed::align
