// An aligner as Python holds it.
#pragma once

#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "alignment_batch.hpp"
#include "index_handle.hpp"
#include "warpseed/aligner.hpp"

namespace warpseed::python {

/// Threads: any number; their calls run one after the other, and number the reads in that order.
class AlignerHandle {
 public:
  AlignerHandle(std::shared_ptr<IndexHandle> index, const Context& context, const AlignOptions& options)
      : index_(std::move(index)), context_(context), aligner_(index_->index(), context, options) {}

  const std::shared_ptr<IndexHandle>& index() const { return index_; }
  const Context& context() const { return context_; }
  std::string_view read_group_line() const { return aligner_.read_group_line(); }
  void set_fragment_length(const FragmentLength& length);

  /// Aligns the reads, or pairs of neighbours, in parts between which signals are looked for. Called with the GIL,
  /// which it releases.
  std::shared_ptr<AlignmentBatch> align(ReadTexts reads, bool paired);

  /// Reads that a part may have so that results are those of one call.
  std::size_t part_reads() const;

 private:
  const std::shared_ptr<IndexHandle> index_;
  const Context context_;
  std::mutex mutex_;  // guards the next member
  Aligner aligner_;
};

}  // namespace warpseed::python
