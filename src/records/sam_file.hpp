// Writes SAM or PAF. Private to the module.
#pragma once

#include <tbb/concurrent_queue.h>

#include <memory>

#include "core/piece_writer.hpp"
#include "records/alignment_file.hpp"

namespace warpseed::records {

/// Lines are formatted by many threads and written in the background.
class SamFile final : public AlignmentFile {
 public:
  SamFile(const SamHeader& header, const WriterOptions& options);
  ~SamFile() override;
  std::unique_ptr<FilePart> measure(std::span<const bam1_t* const> records,
                                    std::span<const RecordFacts> facts) override;
  void encode(FilePart& part) override;
  void append(FilePart& part) override;
  void store(std::unique_ptr<FilePart> part) override;
  void finish() override;

 private:
  struct Part;

  OutputFile file_;
  PieceWriter piece_writer_;
  ParsedHeader header_;
  const bool paf_;
  tbb::concurrent_queue<std::unique_ptr<Part>> stored_;  // whose memory can be reused
};

}  // namespace warpseed::records
