// Consecutive records of a sorted run, packed one after the other in memory or in a temporary file.
#pragma once

#include <htslib/sam.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/anonymous_file.hpp"
#include "core/huge_pages.hpp"
#include "records/split_records.hpp"

namespace warpseed::records {

/// The size of a packed record.
std::size_t packed_bytes(const bam1_t& record);

/// Writes packed_bytes() of a record, bam1_t::id included. Returns their end.
std::byte* pack(const bam1_t& record, std::byte* out);

/// Appends them.
void pack(const bam1_t& record, std::vector<std::byte>& out);

/// Appends the records that were packed in `bytes`. Their data stay there: `bytes` must outlive them.
void unpack(std::span<const std::byte> bytes, HugePageVector<bam1_t>& records);

/// At least one packed record: in memory, in a device's, or in a file.
struct RecordBlock {
  std::uint64_t first_key = 0;      // of its first record, see coordinate_key()
  std::span<const std::byte> held;  // the packed records, if they are in memory: that of the block's owner
  bool on_device = false;
  std::uint64_t offset = 0;    // in the file; or the address on devices
  std::uint32_t file = 0;      // number of the file
  std::uint32_t stored = 0;    // bytes in the file
  std::uint32_t bytes = 0;     // of the packed records
  std::uint32_t checksum = 0;  // of these, if they are in the file
};

/// Makes a block of packed records, which stay where they are.
void hold(std::span<const std::byte> records, RecordBlock& block);

/// Makes a block of packed records that go to a file: appends them to `stored`, compressed. The block's offset is that in
/// `stored`.
void store(std::span<const std::byte> records, RecordSplitter& splitter, std::vector<std::byte>& stored,
           RecordBlock& block);

/// Reads a stored block's packed records: `bytes` are as many. `stored` is scratch. Throws IoError.
void load(const RecordBlock& block, const AnonymousFile& file, std::vector<std::byte>& stored,
          std::span<std::byte> bytes);

}  // namespace warpseed::records
