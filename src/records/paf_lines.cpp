#include "records/paf_lines.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>

namespace warpseed::records {

namespace {

/// Bases of a CIGAR by what they are.
struct CigarBases {
  std::int64_t clipped_begin = 0, clipped_end = 0, paired = 0, inserted = 0, deleted = 0;

  explicit CigarBases(std::span<const std::uint32_t> cigar) {
    for (const std::uint32_t element : cigar) {
      const std::int64_t length = bam_cigar_oplen(element);
      switch (bam_cigar_op(element)) {
        case BAM_CSOFT_CLIP:
        case BAM_CHARD_CLIP: (paired == 0 ? clipped_begin : clipped_end) += length; break;
        case BAM_CINS: inserted += length; break;
        case BAM_CDEL: deleted += length; break;
        default: paired += length;
      }
    }
  }

  std::int64_t query() const { return paired + inserted; }
  std::int64_t read() const { return clipped_begin + query() + clipped_end; }
  std::int64_t columns() const { return paired + inserted + deleted; }
};

std::int64_t number_tag(const bam1_t& record, const char* name) {
  const std::uint8_t* const tag = bam_aux_get(&record, name);
  return tag ? bam_aux2i(tag) : 0;
}

void append_text_tag(const bam1_t& record, const char* name, std::string& to) {
  const std::uint8_t* const tag = bam_aux_get(&record, name);
  if (tag) fmt::format_to(std::back_inserter(to), "\t{}:Z:{}", name, bam_aux2Z(tag));
}

void append_line(const bam1_t& record, const sam_hdr_t* header, std::string& to) {
  const std::span cigar = {bam_get_cigar(&record), record.core.n_cigar};
  const CigarBases bases(cigar);
  const bool reverse = bam_is_rev(&record);
  const std::int64_t begin = reverse ? bases.clipped_end : bases.clipped_begin;
  const std::int64_t edits = number_tag(record, "NM");
  const std::int64_t same = bases.paired - (edits - bases.inserted - bases.deleted);
  const auto out = std::back_inserter(to);
  fmt::format_to(out, "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}", bam_get_qname(&record), bases.read(), begin,
                 begin + bases.query(), reverse ? '-' : '+', sam_hdr_tid2name(header, record.core.tid),
                 sam_hdr_tid2len(header, record.core.tid), record.core.pos,
                 record.core.pos + bases.paired + bases.deleted, same, bases.columns(), record.core.qual);
  const bool secondary = (record.core.flag & BAM_FSECONDARY) != 0;
  fmt::format_to(out, "\ttp:A:{}\tNM:i:{}\tAS:i:{}\tcg:Z:", secondary ? 'S' : 'P', edits, number_tag(record, "AS"));
  for (const std::uint32_t element : cigar) {
    const int op = bam_cigar_op(element);
    if (op == BAM_CSOFT_CLIP || op == BAM_CHARD_CLIP) continue;
    fmt::format_to(out, "{}{}", bam_cigar_oplen(element), bam_cigar_opchr(element));
  }
  append_text_tag(record, "cs", to);
  append_text_tag(record, "ds", to);
  to += '\n';
}

}  // namespace

void append_paf_lines(std::span<const bam1_t* const> records, const sam_hdr_t* header, std::string& to) {
  for (const bam1_t* record : records) {
    if ((record->core.flag & BAM_FUNMAP) == 0) append_line(*record, header, to);
  }
}

}  // namespace warpseed::records
