// Reads search patterns from FASTA, FASTQ or a file with one pattern per line.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/line_reader.hpp"
#include "reads/read_batch.hpp"
#include "reads/read_parser.hpp"

namespace warpseed::reads {

/// Patterns in input order, in batches whose boundaries depend on the input alone.
/// The first character selects the format: > is FASTA, @ FASTQ, anything else is one pattern per line. Such a pattern
/// is its own name, and an empty line is an empty pattern.
/// Threads: one reader at a time.
class PatternSource {
 public:
  static constexpr std::uint64_t batch_patterns = 65536;
  static constexpr std::uint64_t batch_bytes = 1 << 25;  // a batch ends with the pattern that reaches this

  /// Plain, gzip or BGZF; "-" is standard input. Throws the same as open_bytes().
  explicit PatternSource(const std::string& path);

  /// Replaces the batch with the next patterns; false if there are none. Throws InputError with file and line for a
  /// character outside IUPAC or a malformed record; IoError if reading fails.
  bool next(ReadBatch& batch);

 private:
  bool add_line(ReadBatch& batch);

  std::string name_;  // for messages
  std::optional<ReadParser> records_;
  ReadPortion portion_;  // of records_
  std::optional<LineReader> lines_;
};

}  // namespace warpseed::reads
