// Writes BAM. Private to the module.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/piece_writer.hpp"
#include "records/alignment_file.hpp"
#include "records/bam_compressor.hpp"
#include "records/bam_index.hpp"

namespace warpseed::records {

/// BGZF blocks (SAM/BAM specification 1.6, section 4.1) are compressed by many threads or devices and written in the
/// background. They hold the same records as htslib's, so at a given level the file's bytes are those of samtools.
/// Without one our encoder compresses (core/deflate_encoder.hpp), which is given the records' fields.
class BamFile final : public AlignmentFile {
 public:
  BamFile(const SamHeader& header, const WriterOptions& options);
  ~BamFile() override;
  void write(std::span<const bam1_t* const> records) override;
  void finish() override;

 private:
  struct Measured {
    std::uint64_t bytes;
    RecordPosition position;  // only if there is an index
  };

  void measure(std::span<const bam1_t* const> records);
  std::vector<std::size_t> cut() const;
  void compress(std::span<const bam1_t* const> records, std::span<const std::size_t> ends,
                std::vector<std::string>& packed);
  void put(std::span<const bam1_t* const> records, std::size_t begin, std::size_t end, char* out,
           std::vector<BamField>& fields) const;
  void add_to_index(std::size_t begin, std::size_t end, const std::string& piece);
  void keep_open(std::span<const bam1_t* const> records, std::size_t begin);

  OutputFile file_;
  PieceWriter piece_writer_;
  const int threads_;
  BamCompressor compressor_;
  std::optional<BamIndex> index_;
  std::uint64_t address_ = 0;       // file offset of the next piece
  std::vector<Measured> measured_;  // records in order, those of the open blocks first
  std::size_t open_count_ = 0;      // records that wait for more, since their last block is not full
  std::string open_;                // their bytes
  std::vector<std::string> pieces_;
};

}  // namespace warpseed::records
