// Reads a shard. Private to the module.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "reads/record_reader.hpp"
#include "records/record_block.hpp"
#include "records/shard.hpp"

namespace warpseed::records {

/// A block, and the memory of its records.
struct ShardBlock : RecordBlock {
  ShardBlock() = default;
  ShardBlock(ShardBlock&&) noexcept = default;  // the memory stays where it is
  ShardBlock& operator=(ShardBlock&&) noexcept = default;

  std::vector<std::byte> memory;
};

/// Threads: one at a time.
class ShardReader {
 public:
  /// bgzf_bytes: as open_bytes() takes them. Throws InputError if the file is no shard, as `align --shard` writes it, or its
  /// header is damaged.
  ShardReader(const std::string& path, std::uint64_t bgzf_bytes);

  const std::string& path() const { return path_; }
  const Shard& shard() const { return shard_; }
  bool is_sorted() const { return sorted_; }  // by coordinate

  /// The lines of its header but that of the shard, without line ends.
  const std::vector<std::string>& header_lines() const { return header_lines_; }

  /// Replaces the block with the next records, packed and held in memory, with which it has so many bytes; with their scores
  /// if duplicates are to be marked. False at the end. Throws InputError if the file is damaged, or its records are not in order.
  bool next(ShardBlock& block, std::size_t bytes);

 private:
  void add(ShardBlock& block);

  std::string path_;
  reads::RecordReader reader_;
  Shard shard_;
  std::vector<std::string> header_lines_;
  bool sorted_ = false;
  std::uint64_t last_key_ = 0;
};

}  // namespace warpseed::records
