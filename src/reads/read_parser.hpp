// Parses and validates records of one FASTQ or FASTA file.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/byte_source.hpp"
#include "core/line_reader.hpp"
#include "reads/file_position.hpp"
#include "reads/plain_records.hpp"
#include "reads/read_batch.hpp"
#include "reads/read_name.hpp"
#include "reads/text_limits.hpp"

namespace warpseed::reads {

/// Consecutive reads of a file.
struct ReadPortion {
  ReadBatch reads;
  std::vector<std::uint64_t> lines;    // [reads]: the line where each record begins
  std::vector<std::uint64_t> offsets;  // [reads]: its offset in the decompressed file
  FilePosition end;                    // after the last read
  std::exception_ptr error;            // why no more follow; null at the end of the file, and if more follow

  void clear();
};

/// A portion ends with the read that reaches either.
struct PortionLimits {
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  std::uint64_t reads = none;
  TextLimits text;

  bool reached_by(std::uint64_t reads_so_far, std::uint64_t bytes) const {
    return reads_so_far >= reads || text.reached_by(reads_so_far, bytes);
  }
};

/// Parses one file of reads; the first character distinguishes FASTQ from FASTA.
/// Cost: one pass; no allocation per read. FASTQ is read into the batch's memory and stays there as it is. Records of four
/// lines are parsed by all of oneTBB's threads.
class ReadParser {
 public:
  /// path: for messages. block_bytes: how much is read at once, piece_bytes: parsed at a time by a thread; at least 1.
  ReadParser(std::unique_ptr<ByteSource> source, std::string path, std::uint64_t block_bytes = default_block_bytes,
             MateNumbers mates = MateNumbers::cut, std::uint64_t piece_bytes = PlainRecords::default_piece_bytes);
  static constexpr std::uint64_t default_block_bytes = 1 << 20;  // 1 MiB: fits the L2 cache

  /// Replaces the portion with the next reads; none at the end of the file. portion.error is an InputError (file:line,
  /// read, cause, remedy) for a truncated or malformed record, or what ByteSource::read() throws; the portion has the
  /// reads before it, and later portions are empty.
  void fill(ReadPortion& portion, const PortionLimits& limits);

  const std::string& path() const { return path_; }

  /// Before fill(): the source begins at this position of the file.
  void continue_at(const FilePosition& position) { lines_.continue_at(position.bytes.offset, position.lines); }

  /// The number of the read group that all reads have.
  void set_read_group(std::uint32_t number) { read_group_ = number; }

 private:
  enum class Format { unknown, fastq, fasta };

  std::uint64_t reserve(ReadBatch& reads, const PortionLimits& limits) const;
  void add_reads(ReadPortion& portion, const PortionLimits& limits);
  std::uint64_t text_bytes(const ReadPortion& portion) const;
  bool add_plain(ReadPortion& portion, const PortionLimits& limits);
  std::string_view text_for(std::uint64_t reads) const;
  bool add_next(ReadBatch& batch);
  void find_format();
  bool only_blank_lines_left();
  void add_fastq(ReadBatch& batch);
  void join_bases(LineReader::Line header, LineReader::Line& bases, LineReader::Line& line);
  void add_fasta(ReadBatch& batch);

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
  PlainRecords plain_;
  std::uint64_t plain_from_ = 0;  // offset in the file: before it are records that are not plain
  std::string path_;
  MateNumbers mates_;
  std::uint32_t read_group_ = 0;
  Format format_ = Format::unknown;
  std::uint64_t block_bytes_;
  std::uint64_t bytes_per_read_ = 0;      // of the previous portion, plus some spare
  std::uint64_t longest_read_bytes_ = 0;  // of all reads so far
  bool ended_ = false;
  std::uint64_t record_line_ = 0;
  std::string header_, bases_;  // of a FASTA record, whose lines are joined
};

}  // namespace warpseed::reads
