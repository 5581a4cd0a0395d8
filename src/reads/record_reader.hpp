// Reads records from SAM, BAM or CRAM, through htslib.
#pragma once

#include <htslib/sam.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "reads/file_position.hpp"
#include "reads/pipe_feeder.hpp"

namespace warpseed::reads {

/// Whether a file's first bytes are those of SAM (with or without a header), BAM or CRAM.
bool begins_records(std::string_view start);

/// Threads: one reader at a time.
class RecordReader {
 public:
  /// bytes: the decompressed file. path: for messages. reference_path: FASTA for CRAM; empty: htslib's default. CRAM is
  /// decoded by the program that set_cram_decoder() named.
  /// Throws InputError if the header is damaged.
  /// from: where the bytes after BAM's header come from.
  RecordReader(std::unique_ptr<ByteSource> bytes, std::string path, const std::string& reference_path,
               const FilePosition& from = {});

  /// Advances to the next record; false at the end. Throws InputError for a truncated or malformed record; passes
  /// through what ByteSource::read() throws.
  bool next();

  bam1_t* current() const { return record_.get(); }
  std::string_view header_text() const;
  sam_hdr_t* header() const { return header_.get(); }

  /// Of the current record, in BAM; none in SAM and CRAM.
  std::optional<FilePosition> position() const;

  /// The current record's position in the file: its number, from 1; in SAM its line.
  std::uint64_t location() const { return location_; }

  /// Throws InputError about the current record, or about the one at `location`.
  [[noreturn]] void fail(std::string_view problem) const;
  [[noreturn]] void fail_at(std::uint64_t location, std::string_view problem) const;

 private:
  void open(const std::string& reference_path);
  std::uint64_t offset_in_bam() const;
  void throw_cause(int error_number);

  std::string path_;
  bool is_cram_ = false;
  PipeFeeder feeder_;
  std::unique_ptr<htsFile, int (*)(htsFile*)> file_;
  std::unique_ptr<sam_hdr_t, void (*)(sam_hdr_t*)> header_;
  std::unique_ptr<bam1_t, void (*)(bam1_t*)> record_;
  std::uint64_t header_bytes_ = 0;     // of BAM
  std::uint64_t skipped_ = 0;          // bytes of BAM between the header and the first record that is read
  std::uint64_t begin_ = 0, end_ = 0;  // of the current record of BAM: its bytes of those that are read
  std::uint64_t location_ = 0;
  bool is_text_ = false;  // SAM
};

}  // namespace warpseed::reads
