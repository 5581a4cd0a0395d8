// A SAM, BAM or CRAM file being written, and its index if it has one.
#pragma once

#include <htslib/sam.h>

#include <memory>
#include <span>
#include <string>

#include "core/output_file.hpp"
#include "records/alignment_writer.hpp"

namespace warpseed::records {

/// Until finish() the file has a temporary name next to its final one; the destructor removes it.
/// Threads: one caller at a time.
class AlignmentFile {
 public:
  virtual ~AlignmentFile() = default;

  /// Appends records in order; the caller may free them afterwards. Uses threads for large batches. Throws IoError.
  virtual void write(std::span<const bam1_t* const> records) = 0;

  /// Completes the file and renames it, then its index.
  virtual void finish() = 0;
};

/// Throws as open_alignments().
std::unique_ptr<AlignmentFile> open_alignment_file(const SamHeader& header, const WriterOptions& options);

/// Shared by the file formats.
using ParsedHeader = std::unique_ptr<sam_hdr_t, void (*)(sam_hdr_t*)>;

/// The header as htslib parses it. Throws InputError naming `path` for lines that are not valid SAM.
ParsedHeader parse_header(const std::string& text, const std::string& path);

/// Whether the file gets an index: BAM or CRAM, sorted, and written to a named file.
bool is_indexed(const WriterOptions& options, const PendingFile& pending);

/// CSI's smallest bins have 2^14 bases, as in samtools; 0 selects BAI, where its bins reach to the contigs' ends.
int index_min_shift(const SamHeader& header);

/// Renames a finished index; the alignment file already has its final name.
void commit_index(PendingFile& index);

}  // namespace warpseed::records
