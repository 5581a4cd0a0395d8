// Reads in: FASTQ or FASTA, one file, two files of mates, or mates interleaved in one; SAM, BAM or CRAM.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "reads/read_batch.hpp"

namespace warpseed::reads {

struct ReadInput {
  std::string path1;         // "-" is standard input
  std::string path2 = {};    // mates of path1's reads; empty for none
  bool interleaved = false;  // path1 holds mates one after the other

  // What follows is for SAM, BAM and CRAM.
  std::string reference_path = {};  // FASTA that CRAM was compressed against; empty: where htslib finds it
  bool with_read_groups = true;     // false: reads have number 0, whatever they say
  bool with_tags = true;            // false: reads have none
};

/// What the header of SAM, BAM or CRAM says that outlives a new alignment; lines without their ends, in their order.
struct ReadHeader {
  std::vector<std::string> read_groups;  // @RG; the group of line i has number i + 1
  std::vector<std::string> programs;     // @PG
  std::vector<std::string> comments;     // @CO
};

/// Reads in input order; of pairs, read 2i and 2i+1 are mates.
/// Threads: one reader at a time.
class ReadSource {
 public:
  virtual ~ReadSource() = default;

  /// Replaces the batch by the next `count` reads (even for pairs), fewer only at the end; false when there are
  /// none. Throws InputError with file and line (and the read's name) for a record that is cut or malformed,
  /// qualities shorter or longer than the letters, a letter outside IUPAC, mates that differ in name or in
  /// number, damaged or truncated compression; IoError if reading fails.
  virtual bool next(ReadBatch& batch, std::uint64_t count) = 0;

  /// Whether reads 2i and 2i + 1 are mates.
  virtual bool paired() const { return false; }

  /// Empty for FASTQ and FASTA.
  virtual const ReadHeader& header() const;
};

/// Throws InputError if path1 and path2 are one file, however they are spelled.
void require_two_mate_files(const ReadInput& input);

/// Plain, gzip or BGZF; FASTQ (four lines a record), FASTA, SAM, BAM or CRAM, told apart by the content.
///
/// Of SAM, BAM and CRAM every primary record is a read, turned back to the sequencer's orientation; secondary and
/// supplementary records are passed over. When the first is paired (flag 0x1), or input.interleaved says so, mates have to
/// follow each other, in either order; they come out first mate first. A pair whose mate is elsewhere, single reads among
/// pairs and the reverse, hard clips, and a read group that the header does not have are InputErrors.
/// Throws InputError or IoError as next() does; an empty file holds no reads and is fine.
std::unique_ptr<ReadSource> open_reads(const ReadInput& input);

}  // namespace warpseed::reads
