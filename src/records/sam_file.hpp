// Writes SAM or PAF. Private to the module.
#pragma once

#include <string>
#include <vector>

#include "core/piece_writer.hpp"
#include "records/alignment_file.hpp"

namespace warpseed::records {

/// Lines are formatted by many threads and written in the background.
class SamFile final : public AlignmentFile {
 public:
  SamFile(const SamHeader& header, const WriterOptions& options);
  void write(std::span<const bam1_t* const> records) override;
  void finish() override;

 private:
  OutputFile file_;
  PieceWriter piece_writer_;
  ParsedHeader header_;
  const int threads_;
  const bool paf_;
  std::vector<std::string> pieces_;
};

}  // namespace warpseed::records
