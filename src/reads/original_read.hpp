// A read as it left the sequencer, out of an alignment record.
#pragma once

#include <cstdint>
#include <string>

#include "reads/read_batch.hpp"
#include "reads/record_reader.hpp"

namespace warpseed::reads {

/// Keeps its memory from record to record.
struct OriginalRead {
  std::string name, bases, qualities, tags;
  std::string read_group;  // what the tag RG says; empty for none
  std::uint16_t flag = 0;
  std::uint64_t place = 0;  // of its record

  /// Takes over the reader's record: letters and qualities as before an alignment turned them (flag 0x10), a mate's /1
  /// or /2 cut off the name. tags: all but RG and those that `align` writes itself, turned as the letters are where they
  /// have to be (packed_tags.hpp); none unless with_tags. Throws InputError, with the record's place, for what cannot be
  /// turned back: hard clips, '=', no bases but a CIGAR; and for a name or quality that FASTQ would not take.
  void assign(const RecordReader& reader, bool with_tags);

  ReadView view(std::uint32_t read_group_number) const;
};

}  // namespace warpseed::reads
