// Writes records call by call, and encodes those of a few calls at the same time where a device does it. Private to the
// module.
#pragma once

#include <tbb/task_arena.h>

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <span>

#include "core/background_thread.hpp"
#include "records/alignment_file.hpp"

namespace warpseed::records {

/// Threads: one caller at a time.
class OverlappedWriter {
 public:
  /// `file` must outlive it.
  OverlappedWriter(AlignmentFile& file, int threads);

  /// Appends records in order. They must stay, unchanged, until release() has been called, once, by any thread. Throws
  /// IoError or BackendError, perhaps of an earlier call: after that it can only be destroyed.
  void write(std::span<const bam1_t* const> records, std::function<void()> release);

  /// Waits until all are appended. Throws as write().
  void finish();

 private:
  struct Call {
    std::unique_ptr<FilePart> part;
    BackgroundThread<> encoded;  // last: it uses the part
  };

  void append_first();

  AlignmentFile& file_;
  const int threads_;
  tbb::task_arena arena_;   // of the caller
  std::deque<Call> calls_;  // that have not been appended
};

}  // namespace warpseed::records
