// The reads of files, aligned in batches.
#pragma once

#include <memory>

#include "aligner_handle.hpp"
#include "module.hpp"
#include "warpseed/reads.hpp"

namespace warpseed::python {

/// Iterates over the batches; see Aligner.map_files().
class FileBatches {
 public:
  FileBatches(std::shared_ptr<AlignerHandle> aligner, const ReadFiles& files);

  /// Throws StopIteration at the end, ValueError while another thread is in it.
  std::shared_ptr<AlignmentBatch> next();

 private:
  std::shared_ptr<AlignerHandle> aligner_;
  ReadReader reader_;
  bool busy_ = false;  // guarded by the GIL
};

void add_file_batches(pybind11::module_& module);

}  // namespace warpseed::python
