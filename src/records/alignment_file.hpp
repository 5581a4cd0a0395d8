// One SAM, BAM or CRAM file being written, with its index where it has one.
#pragma once

#include <htslib/sam.h>

#include <memory>
#include <span>
#include <string>

#include "core/output_file.hpp"
#include "records/alignment_writer.hpp"

namespace warpseed::records {

/// Until finish() the file stands beside its final name and the destructor removes it.
/// Threads: one caller at a time.
class AlignmentFile {
 public:
  virtual ~AlignmentFile() = default;

  /// Appends records in order; they may go when this returns. Many at a time are spread over threads. Throws IoError.
  virtual void write(std::span<const bam1_t* const> records) = 0;

  /// Completes and names the file, then its index.
  virtual void finish() = 0;
};

/// Throws as open_alignments().
std::unique_ptr<AlignmentFile> open_alignment_file(const SamHeader& header, const WriterOptions& options);

/// What the kinds of files share.
using ParsedHeader = std::unique_ptr<sam_hdr_t, void (*)(sam_hdr_t*)>;

/// The header as htslib has it. Throws InputError naming `path` if it has lines that SAM does not take.
ParsedHeader parse_header(const std::string& text, const std::string& path);

/// Whether the file gets an index: if it is sorted and a file that has a name. Not for SAM.
bool is_indexed(const WriterOptions& options, const PendingFile& pending);

/// Smallest bins of 2^14 bases for CSI, as samtools makes them; 0 for BAI, where its bins reach to the contigs' ends.
int index_min_shift(const SamHeader& header);

/// Gives an index its name; the file has its own already.
void commit_index(PendingFile& index);

}  // namespace warpseed::records
