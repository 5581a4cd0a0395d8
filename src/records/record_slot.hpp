// BAM records as they are in memory that many of them share: made by the host (bam_memory.hpp) or by a device.
#pragma once

#include <htslib/sam.h>

#include <cstdint>

#include "core/host_device.hpp"
#include "records/alignment_record.hpp"
#include "records/record_chunk.hpp"
#include "records/record_text_core.hpp"

namespace warpseed::records {

/// A record in a chunk; its data follow, and room for more of them.
struct RecordSlot {
  RecordChunk* chunk;
  bam1_t record;

  static constexpr std::uint64_t alignment = 8;
  WS_HD static constexpr std::uint64_t aligned(std::uint64_t bytes) {
    return (bytes + alignment - 1) / alignment * alignment;
  }
};
static_assert(sizeof(RecordSlot) % RecordSlot::alignment == 0 && sizeof(RecordChunk) % RecordSlot::alignment == 0);

/// The BAI bin of bases [begin, end): reg2bin of the SAM specification, section 5.3. Beyond 512 Mbp it means nothing.
WS_HD constexpr std::uint16_t bai_bin(std::int64_t begin, std::int64_t end) {
  constexpr int levels = 5, smallest_bits = 14, bits_a_level = 3;
  std::int64_t first = ((std::int64_t{1} << (bits_a_level * levels)) - 1) / 7;  // bin of the level
  for (int level = levels, bits = smallest_bits; level > 0; --level, bits += bits_a_level) {
    if (begin >> bits == (end - 1) >> bits) return static_cast<std::uint16_t>(first + (begin >> bits));
    first -= std::int64_t{1} << (bits_a_level * (level - 1));
  }
  return 0;
}

/// What a base quality adds to a read's score where duplicates are marked.
WS_HD constexpr std::uint32_t score_of_quality(std::uint8_t quality) {
  constexpr std::uint8_t least = 15;
  return quality >= least ? quality : 0;
}

WS_HD inline void set_core(bam1_core_t& core, const RecordFields& fields) {
  const std::int64_t covered = fields.genome_bases > 0 ? fields.genome_bases : 1;
  const std::uint64_t name = padded_name(fields.name_bytes);
  core.pos = fields.position;
  core.tid = fields.contig;
  core.bin = bai_bin(fields.position, fields.position + covered);
  core.qual = fields.mapq;
  core.l_extranul = static_cast<std::uint8_t>(name - fields.name_bytes - 1);
  core.flag = fields.flag;
  core.l_qname = static_cast<std::uint16_t>(name);
  core.n_cigar = static_cast<std::uint32_t>(fields.cigar_elements);
  core.l_qseq = static_cast<std::int32_t>(fields.bases);
  core.mtid = fields.mate_contig;
  core.mpos = fields.mate_position;
  core.isize = fields.template_length;
}

/// Begins a slot, at whose address `record` will see `data`, room for so many bytes, a multiple of the alignment. Without
/// fields and data.
WS_HD inline void begin_slot(RecordSlot& slot, RecordChunk* chunk, std::uint8_t* data, std::uint64_t room) {
  slot.chunk = chunk;
  slot.record.data = data;
  slot.record.m_data = static_cast<std::uint32_t>(room);
  slot.record.mempolicy = BAM_USER_OWNS_STRUCT | BAM_USER_OWNS_DATA;
}

}  // namespace warpseed::records
