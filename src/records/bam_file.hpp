// Writes BAM. Private to the module.
#pragma once

#include <tbb/concurrent_queue.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/background_writer.hpp"
#include "core/huge_pages.hpp"
#include "core/piece_writer.hpp"
#include "records/alignment_file.hpp"
#include "records/bam_compressor.hpp"
#include "records/bam_index.hpp"

namespace warpseed::records {

/// BGZF blocks (SAM/BAM specification 1.6, section 4.1) are compressed by many threads or devices and written in the
/// background. They hold the same records as htslib's, so at a given level the file's bytes are those of samtools.
/// Without one our encoder compresses (core/deflate_encoder.hpp), which is given the records' fields.
/// The index is made in the background.
class BamFile final : public AlignmentFile {
 public:
  BamFile(const SamHeader& header, const WriterOptions& options);
  ~BamFile() override;
  std::unique_ptr<FilePart> measure(std::span<const bam1_t* const> records,
                                    std::span<const RecordFacts> facts) override;
  void cut(FilePart& part) override;
  void encode(FilePart& part) override;
  bool encodes_on_device() override { return compressor_.has_devices(); }
  void append(FilePart& part) override;
  void store(std::unique_ptr<FilePart> part) override;
  void finish() override;

 private:
  /// Consecutive records that are indexed alike.
  struct Run {
    RecordPosition last;
    std::uint64_t count;
    std::size_t block;           // of the part, in which the next record begins, and
    std::uint64_t in_the_block;  // where there; uncompressed
  };

  /// What the index needs of a part.
  struct Indexed {
    std::vector<Run> runs;
    std::vector<std::uint64_t> blocks;  // file offset of each block, and of the end
  };

  struct Part;

  std::unique_ptr<Part> new_part();
  std::span<const RecordFacts> find_facts(std::span<const bam1_t* const> records,
                                          HugePageVector<RecordFacts>& memory) const;
  void keep_open(Part& part);
  void put(const Part& part, std::size_t piece, char* out, std::vector<BamField>& fields) const;
  void find_runs(Part& part) const;
  void locate_blocks(Part& part);
  void add_to_index(const Indexed& part);
  void append_last();
  void complete();

  OutputFile file_;
  PieceWriter piece_writer_;
  BamCompressor compressor_;
  std::optional<BamIndex> index_;
  std::uint64_t address_ = 0;            // file offset of the next piece that is appended; only if there is an index
  std::vector<RecordFacts> open_facts_;  // of records that wait for more, since their last block is not full
  std::string open_;                     // their bytes
  tbb::concurrent_queue<std::unique_ptr<Part>> stored_;  // whose memory can be reused
  std::optional<BackgroundWriter<Indexed>> indexer_;     // last: it uses the index
};

}  // namespace warpseed::records
