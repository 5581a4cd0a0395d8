// Packed records for a disk: bases and qualities by few bits, the rest deflated. Private to the module.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace warpseed::records {

/// Keeps its memory from block to block. Threads: one at a time.
class RecordSplitter {
 public:
  RecordSplitter();
  RecordSplitter(RecordSplitter&&) noexcept;
  ~RecordSplitter();

  /// Appends what joined() makes `records` of again: packed records, see record_block.hpp. A base takes two bits in
  /// records that know all of theirs. Qualities take 0, 1, 2 or 4 bits where the records have up to 1, 2, 4 or 16
  /// different ones, as sequencers write them that bin them; others are deflated. So ISA-L sees half of the bytes or less:
  /// it takes most of the time of a disk's runs.
  void split(std::span<const std::byte> records, std::vector<std::byte>& out);

 private:
  struct Parts;

  std::unique_ptr<Parts> parts_;
};

/// Restores the `bytes.size()` bytes of records. False if `split` is not what was made of so many; the content has to
/// be checked by a checksum.
bool joined(std::span<const std::byte> split, std::span<std::byte> bytes);

}  // namespace warpseed::records
