// A SAM, BAM or CRAM file being written, and its index if it has one.
#pragma once

#include <htslib/sam.h>

#include <memory>
#include <span>
#include <string>

#include "core/output_file.hpp"
#include "records/alignment_writer.hpp"
#include "records/record_facts.hpp"

namespace warpseed::records {

/// Records on their way to a file.
struct FilePart {
  virtual ~FilePart() = default;
  std::span<const bam1_t* const> records;
};

/// Until finish() the file has a temporary name next to its final one; the destructor removes it.
///
/// Records go through five steps. Different parts can be in different steps at the same time. measure(), encode() and
/// store() take one or more parts at a time; cut() and append() take one at a time, each in the order of the file. A step
/// uses the threads of the caller's arena, and throws IoError or BackendError; after that the file can only be destroyed.
class AlignmentFile {
 public:
  virtual ~AlignmentFile() = default;

  /// Begins a part. facts: of each record, or none. Records and facts must stay, unchanged, until append() returns; where
  /// encodes_on_device() until encode() does.
  virtual std::unique_ptr<FilePart> measure(std::span<const bam1_t* const> records, std::span<const RecordFacts> facts);

  /// Finds out what the part's first and last bytes are, which may depend on the parts before.
  virtual void cut(FilePart&) {}

  /// Makes the bytes. Where encodes_on_device() it mostly waits, so several parts should be in this step.
  virtual void encode(FilePart&) {}
  virtual bool encodes_on_device() { return false; }

  /// Appends the bytes to the file, or room for them. It may throw what is wrong with an earlier part, and finish(), too.
  virtual void append(FilePart& part) = 0;

  /// Copies the bytes to the room. Takes the part, whose memory is used again.
  virtual void store(std::unique_ptr<FilePart>) {}

  /// Completes the file and renames it, then its index. All parts have been stored.
  virtual void finish() = 0;
};

/// All steps of one part.
void write(AlignmentFile& file, std::span<const bam1_t* const> records, int threads);

/// Throws as open_alignments().
std::unique_ptr<AlignmentFile> open_alignment_file(const SamHeader& header, const WriterOptions& options);

/// Shared by the file formats.
using ParsedHeader = std::unique_ptr<sam_hdr_t, void (*)(sam_hdr_t*)>;

/// The header as htslib parses it. Throws InputError naming `path` for lines that are not valid SAM.
ParsedHeader parse_header(const std::string& text, const std::string& path);

/// Whether the file gets an index: BAM or CRAM, sorted, and written to a named file.
bool is_indexed(const WriterOptions& options, const PendingFile& pending);

/// CSI's smallest bins have 2^14 bases, as in samtools; 0 selects BAI, where its bins reach to the contigs' ends.
constexpr int csi_min_shift = 14;
int index_min_shift(const SamHeader& header);

/// Renames a finished index; the alignment file already has its final name.
void commit_index(PendingFile& index);

}  // namespace warpseed::records
