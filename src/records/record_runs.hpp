// Sorted runs of records on disk, and their merge.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/anonymous_file.hpp"
#include "records/record_order.hpp"

namespace warpseed::records {

struct RunSizes {
  std::uint64_t block_bytes = 256 << 10;  // of records that are written and read together
  std::uint64_t merged_bytes = 64 << 20;  // of records that are merged at once: work for many threads
};

/// Any number of sorted runs in one temporary file, in compressed blocks of records. The block index is in memory, 40
/// bytes per block. bam1_t::id is kept as well.
/// Threads: one caller at a time; the work is spread over `threads`.
class RecordRuns {
 public:
  /// `path` is the records' output, `folder` that of the temporary file; may be empty: see AnonymousFile.
  RecordRuns(std::string path, int threads, const RunSizes& sizes = {}, std::string folder = {})
      : path_(std::move(path)), folder_(std::move(folder)), threads_(threads), sizes_(sizes) {}

  /// Begins a run with the next records. The first call creates the file: throws IoError.
  void begin_run();

  /// Appends records in coordinate order, none of which precedes an earlier one of this run. Throws IoError.
  void write(std::span<const BamRecord> records);

  bool empty() const { return runs_.empty(); }

  /// Passes all records on in coordinate order, those with equal keys in the order of the runs, and forgets them. Holds
  /// merged_bytes and a block of each run in memory. Throws IoError.
  void merge(const RecordSink& sink);

 private:
  /// Consecutive records in the file.
  struct Block {
    std::uint64_t first_position;  // of its records
    std::uint64_t offset;
    std::uint32_t stored_bytes;  // in the file; equal to `bytes` if the block is not compressed
    std::uint32_t bytes;
    std::uint32_t checksum;  // of the uncompressed bytes
    std::uint32_t records;
  };
  using Run = std::vector<Block>;
  class Merge;

  std::vector<Block> write_blocks(std::span<const BamRecord> records);
  Block store(std::span<const std::byte> bytes);
  std::vector<BamRecord> read_block(const Block& block) const;

  const std::string path_, folder_;
  const int threads_;
  const RunSizes sizes_;
  std::unique_ptr<AnonymousFile> file_;
  std::vector<Run> runs_;
};

}  // namespace warpseed::records
