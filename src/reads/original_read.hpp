// Restores a read as it left the sequencer from an alignment record.
#pragma once

#include <cstdint>
#include <string>

#include "reads/read_batch.hpp"
#include "reads/record_reader.hpp"

namespace warpseed::reads {

/// Reuses its memory from record to record.
struct OriginalRead {
  std::string name, bases, qualities, tags;
  std::string read_group;  // the tag RG; empty for none
  std::uint16_t flag = 0;
  std::uint64_t location = 0;  // of its record: see RecordReader

  /// Takes over the reader's record: bases and qualities in sequencing orientation (undoing flag 0x10), the name
  /// without a mate's /1 or /2. tags: all but RG and those that `align` writes itself, reversed with the bases if
  /// needed (packed_tags.hpp); none unless with_tags. Throws InputError, with the record's position in the file, for
  /// what cannot be restored: hard clips, '=', a CIGAR without bases; and for names and qualities invalid in FASTQ.
  void assign(const RecordReader& reader, bool with_tags);

  ReadView view(std::uint32_t read_group_number) const;
};

}  // namespace warpseed::reads
