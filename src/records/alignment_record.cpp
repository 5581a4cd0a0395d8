#include "records/alignment_record.hpp"

#include <fmt/format.h>
#include <htslib/sam.h>

#include <algorithm>
#include <cassert>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "reads/base_modifications.hpp"
#include "reads/packed_tags.hpp"
#include "reads/simd_bases.hpp"
#include "records/bam_memory.hpp"
#include "records/record_slot.hpp"
#include "records/record_text_core.hpp"
#include "records/sam_tag.hpp"
#include "warpseed/error.hpp"

namespace warpseed::records {

namespace {

/// The part of a read that a record shows, in the record's orientation.
struct Shown {
  std::string_view bases;      // as in the input
  std::string_view qualities;  // same length, or empty
  std::uint64_t begin;         // offset in the read
  bool reversed;
};

Shown shown_part(const AlignmentRecord& record, const reads::ReadView& read) {
  const bool reversed = record.flag & sam_flag::reverse;
  if (record.omit_sequence) return {{}, {}, 0, reversed};
  std::uint64_t left = 0, right = 0;  // hard clips; the CIGAR has the record's orientation
  if (!record.cigar.empty()) {
    const CigarElement first = record.cigar.front(), last = record.cigar.back();
    if (cigar_op(first) == CigarOp::hard_clip) left = cigar_length(first);
    if (record.cigar.size() > 1 && cigar_op(last) == CigarOp::hard_clip) right = cigar_length(last);
  }
  if (reversed) std::swap(left, right);
  if (left + right > read.bases.size()) throw std::invalid_argument("BamRecord: clips longer than the read");
  const std::uint64_t size = read.bases.size() - left - right;
  return {read.bases.substr(left, size),
          read.qualities.empty() ? std::string_view() : read.qualities.substr(left, size), left, reversed};
}

/// Bases that a CIGAR spans: of the read for bit 1 of htslib's operation types, of the reference for bit 2.
std::uint64_t span_of(std::span<const CigarElement> cigar, int type) {
  std::uint64_t span = 0;
  for (const CigarElement element : cigar)
    span += (bam_cigar_type(static_cast<unsigned>(cigar_op(element))) & type) != 0 ? cigar_length(element) : 0;
  return span;
}

/// Fills a BAM record's variable-length part from front to back.
class Packer {
 public:
  explicit Packer(std::uint8_t* out) : begin_(out), out_(out) {}

  std::uint64_t size() const { return static_cast<std::uint64_t>(out_ - begin_); }

  void bytes(const void* data, std::uint64_t size) {
    if (size > 0) std::memcpy(out_, data, size);
    out_ += size;
  }

  void zeros(std::uint64_t count) {
    std::memset(out_, 0, count);
    out_ += count;
  }

  void bases_and_qualities(const Shown& shown) {
    out_ = put_bases_and_qualities(shown.bases, shown.qualities, shown.reversed, out_);
  }

  /// Writes an integer tag; a negative value is omitted.
  void tag(const char (&name)[3], std::int32_t value) { out_ = put_integer_tag(name, value, out_); }

  void tag(const char (&name)[3], float value) {
    if (value < 0) return;
    bytes(name, 2);
    *out_++ = 'f';
    bytes(&value, sizeof(value));
  }

  /// Writes a string tag; an empty one is omitted.
  void tag(const char (&name)[3], std::string_view text) {
    if (text.empty()) return;
    bytes(name, 2);
    *out_++ = 'Z';
    bytes(text.data(), text.size());
    *out_++ = 0;
  }

 private:
  std::uint8_t* begin_;
  std::uint8_t* out_;
};

/// Upper bound of the variable part's size: seven bytes per numeric tag, four plus the length per string tag.
std::uint64_t room_for(const AlignmentRecord& record, const reads::ReadView& read, const Shown& shown,
                       const std::string& read_group) {
  return padded_name(read.name.size()) + 4 * record.cigar.size() + 2 * shown.bases.size() + 1 + 5 * 7 + 7 * 4 +
         read.tags.size() + record.mismatches.size() + record.mate_cigar.size() + record.split.size() +
         record.alternatives.size() + record.differences.size() + record.ambiguous_differences.size() +
         read_group.size();
}

void check(const AlignmentRecord& record, const reads::ReadView& read, const Shown& shown) {
  if (read.name.size() > longest_name) {
    throw InputError(fmt::format("read '{}': a name of {} letters, SAM takes {}; shorten it", read.name,
                                 read.name.size(), longest_name));
  }
  if (!read.qualities.empty() && read.qualities.size() != read.bases.size()) {
    throw std::invalid_argument("BamRecord: one quality a letter");
  }
  if (!record.cigar.empty() && !record.omit_sequence && span_of(record.cigar, 1) != shown.bases.size()) {
    throw std::invalid_argument("BamRecord: the CIGAR covers another number of letters than the read has");
  }
}

RecordFields fields_of(const AlignmentRecord& record, const reads::ReadView& read, const Shown& shown) {
  RecordFields fields;
  fields.flag = static_cast<std::uint16_t>(record.flag | (read.qc_fail ? sam_flag::qc_fail : 0));
  fields.contig = record.contig;
  fields.position = record.position;
  fields.mapq = record.mapq;
  fields.mate_contig = record.mate_contig;
  fields.mate_position = record.mate_position;
  fields.template_length = record.template_length;
  fields.genome_bases = is_mapped(record) ? reference_span(record.cigar) : 0;
  fields.name_bytes = read.name.size();
  fields.cigar_elements = record.cigar.size();
  fields.bases = shown.bases.size();
  return fields;
}

std::uint64_t pack(std::uint8_t* out, const AlignmentRecord& record, const reads::ReadView& read, const Shown& shown,
                   const std::string& read_group) {
  Packer packer(out);
  packer.bytes(read.name.data(), read.name.size());
  packer.zeros(padded_name(read.name.size()) - read.name.size());
  packer.bytes(record.cigar.data(), 4 * record.cigar.size());
  packer.bases_and_qualities(shown);
  packer.tag("NM", record.edit_distance);
  packer.tag("MD", record.mismatches);
  packer.tag("MC", record.mate_cigar);
  packer.tag("MQ", record.mate_mapq);
  packer.tag("AS", record.score);
  packer.tag("XS", record.second_score);
  packer.tag("RG", read_group);
  packer.tag("SA", record.split);
  packer.tag("pa", record.share_of_alt);
  packer.tag("XA", record.alternatives);
  packer.tag("cs", record.differences);
  packer.tag("ds", record.ambiguous_differences);
  packer.bytes(read.tags.data(), read.tags.size());
  return packer.size();
}

/// Trims the input's tags, which begin at `begin`, and reverses them, as the bases are.
void trim_tags(bam1_t* record, std::uint64_t begin, const reads::ReadView& read, const Shown& shown) {
  const auto end = static_cast<std::uint64_t>(record->l_data);
  if (begin == end) return;
  const reads::ShownBases bases = {shown.begin, shown.bases.size(), read.bases.size(), shown.reversed};
  char* const tags = reinterpret_cast<char*>(record->data) + begin;
  const std::uint64_t size = reads::trim_packed_tags(tags, end - begin, bases);
  record->l_data = static_cast<int>(begin + reads::trim_modifications(tags, size, read.bases, bases));
}

}  // namespace

std::string cigar_text(const std::vector<CigarElement>& cigar) {
  if (cigar.empty()) return "*";
  std::string text;
  for (const CigarElement element : cigar) put_cigar_element(element, [&](char character) { text += character; });
  return text;
}

std::int64_t reference_span(std::span<const CigarElement> cigar) {
  return static_cast<std::int64_t>(span_of(cigar, 2));
}

std::int64_t five_prime(const AlignmentRecord& record) {
  return is_reverse(record) ? record.position + reference_span(record.cigar) - 1 : record.position;
}

std::uint8_t* put_bases_and_qualities(std::string_view bases, std::string_view qualities, bool reversed,
                                      std::uint8_t* out) {
  reads::pack_bases(bases, reversed, out);
  out += (bases.size() + 1) / 2;
  if (qualities.empty()) {
    std::memset(out, 0xFF, bases.size());
  } else {
    reads::pack_qualities(qualities, reversed, out);
  }
  return out + bases.size();
}

BamRecord::BamRecord(const AlignmentRecord& record, const reads::ReadView& read, const std::string& read_group,
                     bool with_comment, BamMemory& memory) {
  const Shown shown = shown_part(record, read);
  check(record, read, shown);

  const std::uint64_t room = room_for(record, read, shown, read_group);
  std::unique_ptr<bam1_t, void (*)(bam1_t*)> made(memory.take(room), BamMemory::give_back);
  set_core(made->core, fields_of(record, read, shown));
  const std::uint64_t size = pack(made->data, record, read, shown, read_group);
  assert(size <= room);
  made->l_data = static_cast<int>(size);
  if (with_comment) append_tags(made.get(), read.comment);
  trim_tags(made.get(), size - read.tags.size(), read, shown);
  memory.trim(made.get());
  record_ = made.release();
}

BamRecord::BamRecord(const AlignmentRecord& record, const reads::ReadView& read, const std::string& read_group,
                     bool with_comment) {
  BamMemory memory(0);
  *this = BamRecord(record, read, read_group, with_comment, memory);
}

BamRecord::BamRecord(const RecordFields& fields, std::span<const std::uint8_t> data, BamMemory& memory) {
  record_ = memory.take(data.size());
  set_core(record_->core, fields);
  record_->l_data = static_cast<int>(data.size());
  std::ranges::copy(data, record_->data);
}

BamRecord::BamRecord(const bam1_t& other, BamMemory& memory) {
  const auto size = static_cast<std::uint64_t>(other.l_data);
  record_ = memory.take(size);
  record_->core = other.core;
  record_->id = other.id;
  record_->l_data = other.l_data;
  std::copy_n(other.data, size, record_->data);
  memory.trim(record_);
}

}  // namespace warpseed::records
