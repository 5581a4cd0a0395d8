#include "records/record_block.hpp"

#include <cstring>
#include <utility>

#include "core/checksum.hpp"
#include "core/deflate.hpp"
#include "warpseed/error.hpp"

namespace warpseed::records {

namespace {

/// Precedes a record's data.
struct PackedHead {
  bam1_core_t core;
  std::uint64_t id;
  std::uint64_t data_bytes;
};

/// Records begin at multiples of this, as the numbers in them ask for.
constexpr std::size_t alignment = alignof(PackedHead);

constexpr std::size_t aligned(std::size_t bytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}

}  // namespace

std::size_t packed_bytes(const bam1_t& record) {
  return sizeof(PackedHead) + aligned(static_cast<std::size_t>(record.l_data));
}

void pack(const bam1_t& record, std::vector<std::byte>& out) {
  PackedHead head;
  std::memset(&head, 0, sizeof head);  // also the padding between fields
  head.core = record.core;
  head.id = record.id;
  head.data_bytes = static_cast<std::uint64_t>(record.l_data);
  const std::size_t begin = out.size();
  out.resize(begin + packed_bytes(record));
  std::memcpy(out.data() + begin, &head, sizeof head);
  std::memcpy(out.data() + begin + sizeof head, record.data, head.data_bytes);
}

void unpack(std::span<const std::byte> bytes, std::vector<bam1_t>& records) {
  while (!bytes.empty()) {
    PackedHead head;
    std::memcpy(&head, bytes.data(), sizeof head);
    bam1_t& record = records.emplace_back();
    record.core = head.core;
    record.id = head.id;
    record.l_data = static_cast<int>(head.data_bytes);
    record.m_data = static_cast<std::uint32_t>(head.data_bytes);
    // Nothing changes it: htslib takes records that are not const.
    record.data = const_cast<std::uint8_t*>(reinterpret_cast<const std::uint8_t*>(bytes.data() + sizeof head));
    bam_set_mempolicy(&record, BAM_USER_OWNS_STRUCT | BAM_USER_OWNS_DATA);
    bytes = bytes.subspan(sizeof head + aligned(head.data_bytes));
  }
}

void hold(std::span<const std::byte> records, RecordBlock& block) {
  block.held.assign(records.begin(), records.end());
  block.bytes = static_cast<std::uint32_t>(records.size());
}

void store(std::span<const std::byte> records, AnonymousFile& file, RecordBlock& block) {
  const std::vector<std::byte> fewer = deflated(records);  // a disk is hardly faster than this
  const std::span<const std::byte> stored = fewer.empty() ? records : fewer;
  block.bytes = static_cast<std::uint32_t>(records.size());
  block.stored = static_cast<std::uint32_t>(stored.size());
  block.checksum = crc32(records);
  block.offset = file.append(stored);
}

std::vector<std::byte> load(const RecordBlock& block, const AnonymousFile& file) {
  std::vector<std::byte> stored(block.stored), bytes;
  file.read(block.offset, stored);
  bool good = true;
  if (block.stored == block.bytes) {
    bytes = std::move(stored);
  } else {
    bytes.resize(block.bytes);
    good = inflate(stored, bytes);
  }
  if (!good || crc32(bytes) != block.checksum) {
    throw IoError(file.name() + " does not hold any more what was written there; check the disk");
  }
  return bytes;
}

}  // namespace warpseed::records
