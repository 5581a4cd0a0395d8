// Reads input: FASTQ or FASTA, as one file, two files of mates, or interleaved mates; SAM, BAM or CRAM.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reads/file_position.hpp"
#include "reads/input_meter.hpp"
#include "reads/read_batch.hpp"
#include "reads/text_limits.hpp"

namespace warpseed::reads {

struct ReadInput {
  std::string path1;         // "-" is standard input
  std::string path2 = {};    // mates of path1's reads; empty for none
  bool interleaved = false;  // mates are adjacent in path1

  // The following apply to SAM, BAM and CRAM only.
  std::string reference_path = {};  // FASTA that CRAM was compressed against; empty: htslib's default
  bool with_read_groups = true;     // false: read_group is 0 for all reads
  bool with_tags = true;            // false: reads have no tags

  std::uint32_t read_group = 0;            // the number that reads have whose group is not read from the file
  std::shared_ptr<InputMeter> meter = {};  // counts the bytes that are read; may be null
  std::vector<FilePosition> from = {};     // where to begin, in path1 and path2; empty: at the first read
  bool with_singles = false;  // with interleaved: reads without a mate next to them are single reads, not errors
};

/// The header lines of SAM, BAM or CRAM that remain valid after realignment, without line ends, in their order.
struct ReadHeader {
  std::vector<std::string> read_groups;  // @RG; the group of line i has number i + 1
  std::vector<std::string> programs;     // @PG
  std::vector<std::string> comments;     // @CO
};

/// Bounds the memory of a batch of long reads. Memory that is used for the first time costs time: batches are small
/// where they have reads enough for all threads. Short reads keep the size that a device asks for.
constexpr TextLimits batch_text = {
    .most_bytes = 64 << 20, .enough_bytes = 32 << 20, .least_reads = 512, .most_reads = 8192};

/// Reads in input order; in pairs, reads 2i and 2i+1 are mates. A source of pairs and single reads marks the single
/// ones of each batch (ReadBatch::singles()).
/// Threads: one reader at a time.
class ReadSource {
 public:
  virtual ~ReadSource() = default;

  /// Replaces the batch with the next `count` reads (even for pairs), one more where a batch of pairs and single reads
  /// would part mates, fewer only at the end, or where the text of single reads reaches batch_text or a lane of them
  /// ends; false if there are none.
  /// Throws InputError with file and line (and the read's name) for a truncated or malformed record, qualities shorter
  /// or longer than the bases, a character outside IUPAC, mates that differ in name or in number, damaged or truncated
  /// compression; IoError if reading fails.
  virtual bool next(ReadBatch& batch, std::uint64_t count) = 0;

  /// Whether reads 2i and 2i + 1 are mates, those apart that a batch marks as single.
  virtual bool paired() const { return false; }

  /// Empty for FASTQ and FASTA.
  virtual const ReadHeader& header() const;

  /// Where the next read begins, after a call of next(); none in files that cannot be opened there: SAM and CRAM.
  virtual std::optional<SourcePosition> position() const { return {}; }

  /// Gives the group of line i of header().read_groups another number than i + 1. Call it before next().
  virtual void number_read_groups(const std::vector<std::uint32_t>& /*numbers*/) {}
};

/// Throws InputError if path1 and path2 are the same file, however they are spelled.
void require_two_mate_files(const ReadInput& input);

/// Plain, gzip or BGZF; FASTQ (bases and qualities on one line each, or on several), FASTA, SAM, BAM or CRAM, recognised by content.
///
/// Every primary record of SAM, BAM and CRAM is a read, restored to sequencing orientation; secondary and supplementary
/// records are skipped. If the first record is paired (flag 0x1), or input.interleaved is set, mates must be adjacent,
/// in either order; the first mate is returned first. Mates that are not adjacent, single reads among pairs and the
/// reverse, hard clips, and a read group that is not in the header are InputErrors.
/// With input.with_singles the names decide, as in bwa mem -p: two adjacent reads of one name are mates, every other
/// one is single. Then only mates that are not adjacent in a file sorted by coordinate are errors.
/// Throws InputError or IoError as next() does; an empty file is valid and has no reads.
std::unique_ptr<ReadSource> open_reads(const ReadInput& input);

}  // namespace warpseed::reads
