#include "records/bam_bytes.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace warpseed::records {

namespace {

static_assert(std::endian::native == std::endian::little, "BAM is little-endian");

constexpr std::uint32_t max_elements = 0xffff;  // of a CIGAR in its regular field

constexpr std::uint64_t fixed_bytes = 9 * sizeof(std::uint32_t);       // the length and the fixed fields
constexpr std::uint64_t cg_tag_bytes = 2 * sizeof(std::uint32_t) + 8;  // the field's two operations, the tag's header

bool cigar_goes_to_tag(const bam1_t& record) {
  return record.core.n_cigar > max_elements;
}

/// Length of the name with its NUL, without the padding that aligns the CIGAR in memory.
std::uint32_t name_bytes(const bam1_core_t& core) {
  return core.l_qname - static_cast<std::uint32_t>(core.l_extranul);
}

char* put(const void* from, std::uint64_t bytes, char* out) {
  std::memcpy(out, from, bytes);
  return out + bytes;
}

void append(std::string& to, std::uint32_t value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// Writes everything after the name, the CIGAR in the tag CG. As the SAM specification asks (4.2.2), the regular field
/// then holds kSmN: the read's length k and the length m on the reference.
char* put_with_cg_tag(const bam1_t& record, char* out) {
  const std::uint32_t count = record.core.n_cigar;
  const std::uint32_t* cigar = bam_get_cigar(&record);
  const std::array<std::uint32_t, 2> covered = {
      bam_cigar_gen(static_cast<std::uint32_t>(record.core.l_qseq), BAM_CSOFT_CLIP),
      bam_cigar_gen(static_cast<std::uint32_t>(bam_cigar2rlen(static_cast<int>(count), cigar)), BAM_CREF_SKIP)};
  out = put(covered.data(), sizeof covered, out);
  const std::uint8_t* rest = bam_get_seq(&record);
  out = put(rest, static_cast<std::uint64_t>(record.data + record.l_data - rest), out);
  out = put("CGBI", 4, out);
  out = put(&count, sizeof count, out);
  return put(cigar, std::uint64_t{count} * sizeof *cigar, out);
}

}  // namespace

std::string bam_header_bytes(const SamHeader& header, const std::string& text) {
  std::string bytes("BAM\1", 4);
  append(bytes, static_cast<std::uint32_t>(text.size()));
  bytes += text;
  append(bytes, static_cast<std::uint32_t>(header.contigs.size()));
  for (const auto& [name, length] : header.contigs) {
    append(bytes, static_cast<std::uint32_t>(name.size() + 1));
    bytes += name;
    bytes += '\0';
    append(bytes, static_cast<std::uint32_t>(length));
  }
  return bytes;
}

std::uint64_t bam_size(const bam1_t& record) {
  return fixed_bytes + static_cast<std::uint64_t>(record.l_data) - record.core.l_extranul +
         (cigar_goes_to_tag(record) ? cg_tag_bytes : 0);
}

char* put_bam(const bam1_t& record, char* out) {
  const bam1_core_t& core = record.core;
  const std::uint32_t elements = cigar_goes_to_tag(record) ? 2 : core.n_cigar;
  const std::array<std::uint32_t, 9> fixed = {
      static_cast<std::uint32_t>(bam_size(record) - sizeof(std::uint32_t)),
      static_cast<std::uint32_t>(core.tid),
      static_cast<std::uint32_t>(core.pos),
      std::uint32_t{core.bin} << 16 | std::uint32_t{core.qual} << 8 | name_bytes(core),
      std::uint32_t{core.flag} << 16 | elements,
      static_cast<std::uint32_t>(core.l_qseq),
      static_cast<std::uint32_t>(core.mtid),
      static_cast<std::uint32_t>(core.mpos),
      static_cast<std::uint32_t>(core.isize)};
  out = put(fixed.data(), sizeof fixed, out);
  out = put(record.data, name_bytes(core), out);
  if (cigar_goes_to_tag(record)) return put_with_cg_tag(record, out);
  return put(record.data + core.l_qname, static_cast<std::uint64_t>(record.l_data) - core.l_qname, out);
}

}  // namespace warpseed::records
