#include "align/report/aligned_record.hpp"

namespace warpseed::align {

AlignedRecord::AlignedRecord(const bam1_t& record)
    : flag(record.core.flag),
      mapq(record.core.qual),
      contig(record.core.tid),
      position(record.core.pos),
      template_length(record.core.isize),
      cigar(bam_get_cigar(&record), record.core.n_cigar) {
  if (const std::uint8_t* const tag = bam_aux_get(&record, "MD")) mismatches = bam_aux2Z(tag);
}

}  // namespace warpseed::align
