// Writes CRAM through htslib. Private to the module.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "records/alignment_file.hpp"

namespace warpseed::records {

/// Single-threaded: the encoder chooses its codecs by trials, whose order would vary with several threads.
class CramFile final : public AlignmentFile {
 public:
  CramFile(const SamHeader& header, const WriterOptions& options);
  CramFile(const CramFile&) = delete;
  CramFile& operator=(const CramFile&) = delete;
  ~CramFile() override;

  void append(FilePart& part) override;
  void finish() override;

 private:
  void open(const SamHeader& header, const WriterOptions& options);
  void set_reference(const SamHeader& header, const std::string& reference_path);
  void write_header(const SamHeader& header, bool sorted);
  void begin_index(const SamHeader& header);
  void abandon() noexcept;
  [[noreturn]] static void fail(const PendingFile& pending, const std::optional<PendingFile>& index = {},
                                const std::string& reference = {});

  PendingFile pending_;
  std::optional<PendingFile> pending_index_;
  int descriptor_ = -1;  // htslib's, which closes it
  htsFile* file_ = nullptr;
  ParsedHeader header_;
  std::string reference_path_;  // empty: none
};

}  // namespace warpseed::records
