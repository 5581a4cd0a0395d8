// SAM, BAM or CRAM out, in input order or sorted by coordinate with an index beside it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/backend.hpp"
#include "records/alignment_record.hpp"
#include "records/duplicate_counts.hpp"
#include "records/sam_header.hpp"

namespace warpseed::records {

enum class AlignmentFormat { sam, bam, cram };

/// By name "sam", "bam", "cram"; an empty name means by the path's extension, SAM where that says nothing.
/// Throws InputError for another name.
AlignmentFormat choose_format(std::string_view name, const std::string& path);

struct WriterOptions {
  std::string path = "-";  // "-" is standard output
  AlignmentFormat format = AlignmentFormat::sam;
  int compression_level = -1;                    // -1: the library's own; 0 uncompressed
  int threads = 1;                               // for compression
  bool sort = false;                             // by coordinate, with the index beside it
  std::uint64_t sort_memory_bytes = 1ULL << 30;  // beyond it sorted runs go to disk, beside the output
  bool mark_duplicates = false;                  // only with `sort`: flag 0x400 by the rule of duplicate_rule.hpp
  std::string reference_path;                    // FASTA for CRAM; empty: CRAM without reference
  std::function<Backend()> sorts_on = {};        // where sort keys are put in order; none: on the CPU
};

/// Threads: one writer at a time.
class AlignmentWriter {
 public:
  virtual ~AlignmentWriter() = default;

  /// Appends records in order. Throws IoError (disk full, closed pipe). Where duplicates are marked they are those of
  /// whole reads, mates side by side.
  virtual void write(std::vector<BamRecord> records) = 0;

  /// Writes what waits to be sorted; no write() after it. What it tells of duplicates is all 0 if none are marked.
  virtual DuplicateCounts write_waiting() { return {}; }

  /// Completes the file (and its index) and gives it its name, after write_waiting() if that has not been called.
  /// Without it, nothing is left behind.
  virtual void finish() = 0;
};

/// Throws IoError if the output cannot be opened, InputError for options that do not go together,
/// std::invalid_argument for marking duplicates without sorting.
std::unique_ptr<AlignmentWriter> open_alignments(const SamHeader& header, const WriterOptions& options);

}  // namespace warpseed::records
