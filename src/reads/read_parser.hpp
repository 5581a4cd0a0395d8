// Parses and validates records of one FASTQ or FASTA file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/byte_source.hpp"
#include "core/line_reader.hpp"
#include "reads/read_batch.hpp"

namespace warpseed::reads {

/// Whether the /1 or /2 at the end of a name is cut off.
enum class MateNumbers { cut, kept };

/// Parses one file of reads; the first character distinguishes FASTQ from FASTA.
/// Cost: one pass at 1.4 GB/s per core or more; no allocation per read.
class ReadParser {
 public:
  /// path: for messages. block_bytes: how much is read at once, at least 1.
  ReadParser(std::unique_ptr<ByteSource> source, std::string path, std::uint64_t block_bytes = default_block_bytes,
             MateNumbers mates = MateNumbers::cut);
  static constexpr std::uint64_t default_block_bytes = 1 << 20;  // 1 MiB: fits the L2 cache

  /// Adds the next read to the batch; false at the end of the file. Throws InputError (file:line, read, cause, remedy)
  /// for a truncated or malformed record; passes through what ByteSource::read() throws.
  bool next(ReadBatch& batch);

  const std::string& path() const { return path_; }
  std::uint64_t record_line() const { return record_line_; }  // where the last record begins

 private:
  enum class Format { unknown, fastq, fasta };

  void find_format();
  bool only_blank_lines_left();
  void add_fastq(ReadBatch& batch);
  void add_fasta(ReadBatch& batch);

  std::string_view name_in(std::string_view header, std::uint64_t& end) const;

  // header: the record's first line, for the read's name. Errors are reported at the last line that was read.
  ReadView read_of(std::string_view header, std::string_view bases, std::string_view qualities) const;
  void check_letters(std::string_view bases, std::string_view header) const;
  void check_plus(std::string_view line, std::string_view header) const;
  void check_qualities(std::string_view qualities, std::string_view header) const;
  [[noreturn]] void fail_start(std::string_view header) const;
  [[noreturn]] void fail_length(LineReader::Line header, std::uint64_t qualities, std::uint64_t bases);
  [[noreturn]] void fail_cut(std::string_view header, std::string_view missing) const;
  [[noreturn]] void fail_long(std::string_view header) const;
  [[noreturn]] void fail(std::string_view header, std::string_view problem) const;

  LineReader lines_;
  std::string path_;
  MateNumbers mates_;
  Format format_ = Format::unknown;
  std::uint64_t record_line_ = 0;
  std::string header_, bases_;  // of a FASTA record, whose lines are joined
};

}  // namespace warpseed::reads
