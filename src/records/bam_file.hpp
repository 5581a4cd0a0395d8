// Writes BAM. Private to the module.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/background_writer.hpp"
#include "core/piece_writer.hpp"
#include "records/alignment_file.hpp"
#include "records/bam_compressor.hpp"
#include "records/bam_index.hpp"

namespace warpseed::records {

/// BGZF blocks (SAM/BAM specification 1.6, section 4.1) are compressed by many threads or devices and written in the
/// background. They hold the same records as htslib's, so at a given level the file's bytes are those of samtools.
/// Without one our encoder compresses (core/deflate_encoder.hpp), which is given the records' fields.
/// A device compresses the last pieces of a call during the next one; the index is made in the background. So an error
/// may come out of a later write(), or of finish(). After it the file can only be destroyed, which removes it.
class BamFile final : public AlignmentFile {
 public:
  BamFile(const SamHeader& header, const WriterOptions& options);
  ~BamFile() override;
  void write(std::span<const bam1_t* const> records) override;
  void finish() override;

 private:
  /// Of records in order.
  struct Measured {
    std::vector<std::uint64_t> bytes;
    std::vector<RecordPosition> positions;  // only if there is an index
  };

  /// Where the records of a call go. Those that waited for it come first.
  struct Layout {
    Measured measured;                  // [count] or more: memory is reused
    std::size_t count = 0;              // of records
    std::vector<std::size_t> ends;      // of the pieces, as indices of records; later records wait for more
    std::vector<std::uint64_t> blocks;  // file offset of each block, and of the end; only if there is an index
  };

  struct Part {
    Layout layout;
    std::vector<std::string> pieces;  // [ends] or more: memory is reused
  };

  void measure(std::span<const bam1_t* const> records);
  std::vector<std::uint64_t> cut();
  void compress(std::span<const bam1_t* const> records, std::vector<std::uint64_t> piece_bytes);
  void put(std::span<const bam1_t* const> records, std::size_t begin, std::size_t end, char* out,
           std::vector<BamField>& fields) const;
  void keep_open(std::span<const bam1_t* const> records);
  void hand_over(Part& part);
  void locate_blocks(Part& part);
  void add_to_index(const Layout& layout);
  void complete();

  OutputFile file_;
  PieceWriter piece_writer_;
  const int threads_;
  BamCompressor compressor_;
  std::optional<BamIndex> index_;
  std::uint64_t address_ = 0;  // file offset of the next piece that is handed over; only if there is an index
  Part part_;                  // of the current call
  Part pending_;               // of the previous one, if a device has pieces of it
  Measured open_measured_;     // records that wait for more, since their last block is not full
  std::string open_;           // their bytes
  std::optional<BackgroundWriter<Layout>> indexer_;  // last: it uses the index
};

}  // namespace warpseed::records
