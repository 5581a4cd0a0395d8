// What `align` takes.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/backend.hpp"
#include "estimate/run_needs.hpp"
#include "reads/lanes.hpp"
#include "records/alignment_writer.hpp"

namespace warpseed::estimate {

/// What of the options of a run decides what it takes.
struct AlignRun {
  std::string index_path;
  std::span<const reads::Lane> lanes;
  const records::WriterOptions& writer;
  std::uint64_t device_memory_bytes = 0;  // the limit for each device; 0: none
  bool reported = false;                  // a report is written, too, which has the coverage of the genome
  bool with_comment = false;              // comments become tags
};

/// Counts the reads by the files' sizes and the first reads of the first lane. Throws as content_size(), open_reads()
/// and index_file_size() do.
RunNeeds align_run_needs(const AlignRun& run, const Backend& backend);

}  // namespace warpseed::estimate
