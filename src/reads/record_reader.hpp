// Reads records from SAM, BAM or CRAM, through htslib.
#pragma once

#include <htslib/sam.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "reads/pipe_feeder.hpp"

namespace warpseed::reads {

/// Whether a file's first bytes are those of SAM (with or without a header), BAM or CRAM.
bool begins_records(std::string_view start);

/// Threads: one reader at a time.
class RecordReader {
 public:
  /// bytes: the decompressed file. path: for messages. reference_path: FASTA for CRAM; empty: htslib's default.
  /// Throws InputError if the header is damaged.
  RecordReader(std::unique_ptr<ByteSource> bytes, std::string path, const std::string& reference_path);

  /// Advances to the next record; false at the end. Throws InputError for a truncated or malformed record; passes
  /// through what ByteSource::read() throws.
  bool next();

  bam1_t* current() const { return record_.get(); }
  std::string_view header_text() const;

  /// The current record's position in the file: its number, from 1; in SAM its line.
  std::uint64_t location() const { return location_; }

  /// Throws InputError about the current record, or about the one at `location`.
  [[noreturn]] void fail(std::string_view problem) const;
  [[noreturn]] void fail_at(std::uint64_t location, std::string_view problem) const;

 private:
  void open(const std::string& reference_path);

  std::string path_;
  PipeFeeder feeder_;
  std::unique_ptr<htsFile, int (*)(htsFile*)> file_;
  std::unique_ptr<sam_hdr_t, void (*)(sam_hdr_t*)> header_;
  std::unique_ptr<bam1_t, void (*)(bam1_t*)> record_;
  std::uint64_t location_ = 0;
  bool is_text_ = false;  // SAM
};

}  // namespace warpseed::reads
