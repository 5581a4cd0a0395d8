// What the statistics take from a mapped record, in either of its forms.
#pragma once

#include <htslib/sam.h>

#include <cstdint>
#include <span>
#include <string_view>

#include "records/alignment_record.hpp"

namespace warpseed::align {

/// Owns nothing: the record must outlive it.
struct AlignedRecord {
  AlignedRecord(const records::AlignmentRecord& record)  // implicit: it is the same record
      : flag(record.flag),
        mapq(record.mapq),
        contig(record.contig),
        position(record.position),
        template_length(record.template_length),
        cigar(record.cigar),
        mismatches(record.mismatches) {}

  /// Of a record with MD, whose CIGAR is not in a tag.
  explicit AlignedRecord(const bam1_t& record);

  bool is_reverse() const { return (flag & records::sam_flag::reverse) != 0; }

  /// The position of the aligned base that was sequenced first.
  std::int64_t five_prime() const { return is_reverse() ? position + records::reference_span(cigar) - 1 : position; }

  std::uint16_t flag;
  std::uint8_t mapq;
  std::int32_t contig;
  std::int64_t position;
  std::int64_t template_length;
  std::span<const records::CigarElement> cigar;
  std::string_view mismatches;  // MD
};

}  // namespace warpseed::align
