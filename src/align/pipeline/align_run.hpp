// A whole run of `align`: reads in, records out, all stages at the same time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "align/pipeline/aligner.hpp"
#include "align/pipeline/run_times.hpp"
#include "align/report/align_statistics.hpp"
#include "core/background_thread.hpp"
#include "reads/read_range.hpp"
#include "reads/read_source.hpp"
#include "records/alignment_writer.hpp"
#include "warpseed/progress.hpp"

namespace warpseed::align {

struct RunOptions {
  int threads = 1;
  std::vector<std::string> read_groups = {""};  // IDs by the reads' group number; empty: no RG tag
  bool with_comment = false;                    // -C
  bool in_detail = false;                       // gather all statistics, not only the counts
  CoverageMap* coverage = nullptr;              // gather the coverage, too, if it is not null
  const reads::InputMeter* meter = nullptr;     // of the source's files, for the progress; may be null
  reads::ReadRange range = {};                  // of the input's reads, whose records are made
  std::uint64_t first = 0;                      // the input's reads before those of the source: see BatchReader
  bool one_more = false;                        // the same
};

struct RunResult {
  AlignStatistics statistics;
  StageTimes stages;  // of the alignment
  RunTimes times;
  std::optional<BackgroundThread<>> batches_freed;  // the run's memory; `aligner` must outlive it
};

/// How many batches are in memory at most, with an aligner that works on so many at the same time. Some that are aligned
/// may wait for one before them: stages take batches in order.
constexpr std::size_t most_batches(unsigned concurrent_batches) {
  constexpr std::size_t other_stages = 4;
  return other_stages + concurrent_batches + concurrent_batches / 2;
}

/// Runs to the end of `source`, which yields pairs if source.paired(), perhaps with single reads among them. The caller
/// finishes `writer`. The memory is that of most_batches(), and their number is fixed. The records of a range are those
/// that a run over all reads makes of them; the reads before it are read, and aligned only where insert sizes are learnt
/// from them.
RunResult run_alignment(reads::ReadSource& source, Aligner& aligner, records::AlignmentWriter& writer,
                        const RunOptions& options, const ProgressCallback& progress = {});

}  // namespace warpseed::align
