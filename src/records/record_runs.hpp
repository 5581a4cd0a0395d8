// Sorted runs of records, in memory and on disk, and their merge by ranges of the genome.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/anonymous_file.hpp"
#include "core/backend.hpp"
#include "core/device_store.hpp"
#include "core/huge_pages.hpp"
#include "records/alignment_record.hpp"
#include "records/record_block.hpp"
#include "records/record_merge.hpp"
#include "records/waiting_records.hpp"

namespace warpseed::records {

struct RunSizes {
  std::uint64_t held_bytes = 1ULL << 30;                                   // of records that stay in memory
  std::uint64_t block_bytes = 256 << 10;                                   // of records that are read together
  std::uint64_t device_bytes = std::numeric_limits<std::uint64_t>::max();  // of those in the memory of a device
};

/// Any number of sorted runs; those that do not fit in memory in that of the backend's devices, or else in temporary
/// files, in compressed blocks. The block index, 64 bytes a block, is in memory.
class RecordRuns {
 public:
  /// `path` is the records' output, `folder` that of the temporary files; may be empty: see AnonymousFile.
  RecordRuns(std::string path, int threads, const RunSizes& sizes = {}, std::string folder = {})
      : path_(std::move(path)), folder_(std::move(folder)), threads_(threads), sizes_(sizes) {}

  /// Adds batches of records in their input order, as one run, and frees them. `backend` sorts their keys, and its devices
  /// keep what fits. Throws IoError, BackendError. Threads: one caller at a time.
  void add(std::vector<WaitingRecords> batches, const Backend& backend);

  /// Of all packed records.
  std::uint64_t bytes() const { return bytes_; }

  /// Ranges that cover all records, in order, of at least `bytes` of packed records if there are as many, and of four
  /// blocks of each run. One begins more than `distance` bases after the previous one begins, or among the records
  /// without a contig.
  std::vector<RunRange> ranges(std::uint64_t bytes, std::int64_t distance) const;

  /// Replaces `made` with the records of a range, and with them all that begin within `around` bases of its first and last
  /// one, in coordinate order, those of equal keys in the order of the runs. Throws IoError, BackendError. Threads: any. The runs must
  /// outlive it.
  void read(const RunRange& range, std::int64_t around, SortedRecords& made) const;

  /// Forgets all records.
  void clear();

 private:
  using Memory = HugePageVector<std::byte>;

  struct Run {
    std::vector<RecordBlock> blocks;
    Memory memory;  // of the blocks; empty if they are in the files
  };

  /// Records that become a block, and their size when they are packed.
  struct FirstBlock {
    std::span<const bam1_t* const> records;
    std::size_t bytes;
  };

  void open_files();
  void set_order(const Backend& backend);
  Run packed(Memory memory) const;
  std::vector<RecordBlock> held_part(std::span<const bam1_t* const> records, std::span<std::byte> memory,
                                     std::atomic<std::uint64_t>& used) const;
  std::vector<RecordBlock> stored_part(std::span<const bam1_t* const> records, std::size_t file) const;
  std::span<const bam1_t* const> device_part(std::span<const bam1_t* const> records,
                                             std::vector<RecordBlock>& part) const;
  FirstBlock first_block(std::span<const bam1_t* const> records) const;
  static RecordBlock packed_block(std::span<const bam1_t* const> records, std::span<std::byte> to);
  std::span<const RecordBlock> blocks_in(std::uint32_t number, const RunRange& range) const;
  std::function<void()> begin_load(std::span<const NumberedBlock> blocks, std::span<std::byte> bytes) const;

  const std::string path_, folder_;
  const int threads_;
  const RunSizes sizes_;
  std::unique_ptr<DeviceStore> devices_;  // null: not asked yet, or the backend has none
  mutable std::atomic<bool> devices_full_{false};
  std::vector<std::unique_ptr<AnonymousFile>> files_;  // some: only one thread at a time can write to a file
  std::vector<Run> runs_;
  std::uint64_t bytes_ = 0, held_ = 0;
  // Of the run that is added, as it comes and in order; valid until add() returns. Their memory is used again.
  std::vector<const bam1_t*> records_, sorted_;
  std::vector<std::uint64_t> keys_;
};

}  // namespace warpseed::records
