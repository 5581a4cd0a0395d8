// Reads out of FASTQ or FASTA: one file, two files of mates, or mates interleaved in one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "reads/read_batch.hpp"

namespace warpseed {

struct ReadInput {
  std::string path1;         // "-" is standard input
  std::string path2;         // mates of path1's reads; empty for none
  bool interleaved = false;  // path1 holds mates one after the other

  bool paired() const { return interleaved || !path2.empty(); }
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
};

/// Plain, gzip or BGZF; FASTQ (four lines a record) or FASTA, told apart by the first letter.
/// Throws InputError or IoError as next() does; an empty file holds no reads and is fine.
std::unique_ptr<ReadSource> open_reads(const ReadInput& input);

}  // namespace warpseed
