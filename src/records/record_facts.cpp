#include "records/record_facts.hpp"

#include "records/bam_bytes.hpp"
#include "records/duplicate_rule.hpp"

namespace warpseed::records {

/// In one pass over the CIGAR; the end is that of bam_endpos().
RecordFacts facts_of(const bam1_t& record) {
  const bam1_core_t& core = record.core;
  const CigarSums sums(&record);
  const std::int64_t covered = (core.flag & BAM_FUNMAP) != 0 ? 0 : sums.aligned();
  return {takes_part(core.flag) ? five_prime_key(&record, sums.ends_at(core.pos)) : 0,
          core.pos + (covered > 0 ? covered : 1),
          core.tid,
          static_cast<std::int32_t>(core.pos),
          static_cast<std::uint32_t>(bam_size(record)),
          core.flag};
}

}  // namespace warpseed::records
