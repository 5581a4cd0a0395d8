// Reads of a file: FASTQ, FASTA, SAM, BAM or CRAM, plain or gzip.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "warpseed/context.hpp"

namespace warpseed {

/// A read as it was sequenced. The views are valid until the next call of its reader.
struct Read {
  std::string_view name;       // up to the first white space, without a trailing /1 or /2
  std::string_view comment;    // the rest of the header line
  std::string_view bases;      // IUPAC characters as in the file
  std::string_view qualities;  // Phred+33, as long as the bases; empty for FASTA
};

struct ReadFiles {
  std::string path1;             // "-" is standard input
  std::string path2 = {};        // mates of path1's reads; empty for none
  bool interleaved = false;      // mates are adjacent in path1
  std::string cram_reference{};  // FASTA that CRAM was compressed against; empty: htslib's default
};

/// Reads files in their order; of pairs, reads 2i and 2i + 1 are mates. Of SAM, BAM and CRAM the primary records are
/// reads, restored to the direction of sequencing; mates must be adjacent.
/// Threads: one caller at a time; decompression uses the context's threads.
class ReadReader {
 public:
  /// Throws InputError for two names of one file, IoError for a file that cannot be opened.
  explicit ReadReader(const ReadFiles& files, const Context& context = Context());
  ReadReader(ReadReader&&) noexcept;
  ReadReader& operator=(ReadReader&&) noexcept;
  ~ReadReader();

  /// Whether reads 2i and 2i + 1 are mates: two files, interleaved, or records that say so.
  bool paired() const;

  /// The next `count` reads (an even number of pairs' reads); fewer at the end, and where long reads fill 32 MiB. Empty:
  /// there are no more. Throws InputError with file, line and name for a malformed record, IoError if reading fails,
  /// std::invalid_argument for an odd number of pairs' reads.
  const std::vector<Read>& next(std::size_t count);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpseed
