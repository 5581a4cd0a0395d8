#include "records/record_block.hpp"

#include <cstring>

#include "core/checksum.hpp"
#include "core/prefetch.hpp"
#include "records/packed_record.hpp"
#include "warpseed/error.hpp"

namespace warpseed::records {

std::size_t packed_bytes(const bam1_t& record) {
  return packed_size(static_cast<std::size_t>(record.l_data));
}

std::byte* pack(const bam1_t& record, std::byte* out) {
  PackedHead head;
  std::memset(&head, 0, sizeof head);  // also the padding between fields
  head.core = record.core;
  head.id = record.id;
  head.data_bytes = static_cast<std::uint64_t>(record.l_data);
  std::memcpy(out, &head, sizeof head);
  out += sizeof head;
  const std::size_t padding = packed_aligned(head.data_bytes) - head.data_bytes;
  if (head.data_bytes > 0) std::memcpy(out, record.data, head.data_bytes);
  std::memset(out + head.data_bytes, 0, padding);
  return out + head.data_bytes + padding;
}

void pack(const bam1_t& record, std::vector<std::byte>& out) {
  const std::size_t begin = out.size();
  out.resize(begin + packed_bytes(record));
  pack(record, out.data() + begin);
}

/// Records are mostly of about the same size, so later ones are about that far apart. Of each the head, the name and the
/// CIGAR are read next, which are in three lines.
void unpack(std::span<const std::byte> bytes, HugePageVector<bam1_t>& records) {
  constexpr std::size_t ahead = 8, line = 64;
  while (!bytes.empty()) {
    PackedHead head;
    std::memcpy(&head, bytes.data(), sizeof head);
    bam1_t& record = records.emplace_back(bam1_t{});
    record.core = head.core;
    record.id = head.id;
    record.l_data = static_cast<int>(head.data_bytes);
    record.m_data = static_cast<std::uint32_t>(head.data_bytes);
    // Nothing changes it: htslib takes records that are not const.
    record.data = const_cast<std::uint8_t*>(reinterpret_cast<const std::uint8_t*>(bytes.data() + sizeof head));
    bam_set_mempolicy(&record, BAM_USER_OWNS_STRUCT | BAM_USER_OWNS_DATA);
    const std::size_t size = packed_size(head.data_bytes);
    if (const std::size_t next = ahead * size; next + 2 * line < bytes.size())
      for (const std::size_t at : {next, next + line, next + 2 * line}) prefetch(bytes.data() + at);
    bytes = bytes.subspan(size);
  }
}

void hold(std::span<const std::byte> records, RecordBlock& block) {
  block.held = records;
  block.bytes = static_cast<std::uint32_t>(records.size());
}

void store(std::span<const std::byte> records, RecordSplitter& splitter, std::vector<std::byte>& stored,
           RecordBlock& block) {
  block.offset = stored.size();
  splitter.split(records, stored);  // a disk is hardly faster than this
  block.bytes = static_cast<std::uint32_t>(records.size());
  block.stored = static_cast<std::uint32_t>(stored.size() - block.offset);
  block.checksum = crc32(records);
}

void load(const RecordBlock& block, const AnonymousFile& file, std::vector<std::byte>& stored,
          std::span<std::byte> bytes) {
  stored.resize(block.stored);
  file.read(block.offset, stored);
  if (!joined(stored, bytes) || crc32(bytes) != block.checksum) {
    throw IoError(file.name() + " does not hold any more what was written there; check the disk");
  }
}

}  // namespace warpseed::records
