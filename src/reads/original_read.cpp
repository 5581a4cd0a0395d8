#include "reads/original_read.hpp"

#include <fmt/format.h>

#include <string_view>

#include "reads/packed_tags.hpp"
#include "reads/read_name.hpp"
#include "records/alignment_record.hpp"
#include "text/alphabet.hpp"

namespace warpseed::reads {

namespace {

constexpr char letter_of[] = "=ACMGRSVTWYHKDBN";  // by BAM's 4-bit code
constexpr int highest_quality = '~' - '!';

void copy_bases(const RecordReader& reader, bool reversed, std::string& bases) {
  const bam1_t* record = reader.current();
  const std::uint8_t* packed = bam_get_seq(record);
  const auto size = static_cast<std::size_t>(record->core.l_qseq);
  bases.resize(size);
  for (std::size_t i = 0; i < size; ++i) {
    const unsigned code = bam_seqi(packed, i);
    if (code == 0) reader.fail("a base is '=', which needs the reference; samtools fastq spells it out");
    const char letter = letter_of[code];
    bases[reversed ? size - 1 - i : i] = reversed ? text::complement_letter(letter) : letter;
  }
}

void copy_qualities(const RecordReader& reader, bool reversed, std::string& qualities) {
  const bam1_t* record = reader.current();
  const std::uint8_t* values = bam_get_qual(record);
  const auto size = static_cast<std::size_t>(record->core.l_qseq);
  qualities.clear();
  if (size == 0 || values[0] == 0xFF) return;
  qualities.resize(size);
  for (std::size_t i = 0; i < size; ++i) {
    if (values[i] > highest_quality)
      reader.fail(fmt::format("quality {}; the highest is {}", values[i], highest_quality));
    qualities[reversed ? size - 1 - i : i] = static_cast<char>('!' + values[i]);
  }
}

void check(const RecordReader& reader) {
  const bam1_t* record = reader.current();
  const std::uint32_t* cigar = bam_get_cigar(record);
  for (std::uint32_t i = 0; i < record->core.n_cigar; ++i) {
    if (bam_cigar_op(cigar[i]) != BAM_CHARD_CLIP) continue;
    reader.fail("hard-clipped, so that bases are missing; give the file from before they were cut off");
  }
  if (record->core.l_qseq == 0 && record->core.n_cigar > 0) {
    reader.fail("aligned, but without its bases; give a file that has them");
  }
  const std::string_view name = bam_get_qname(record);
  if (const std::string problem = name_problem(name); !problem.empty()) reader.fail(problem);
}

}  // namespace

void OriginalRead::assign(const RecordReader& reader, bool with_tags) {
  check(reader);
  const bam1_t* record = reader.current();
  flag = record->core.flag;
  location = reader.location();
  name = without_mate_number(bam_get_qname(record));
  const bool reversed = (flag & records::sam_flag::reverse) != 0;
  copy_bases(reader, reversed, bases);
  copy_qualities(reader, reversed, qualities);
  read_group.clear();
  tags.clear();
  std::string_view left(reinterpret_cast<const char*>(bam_get_aux(record)),
                        static_cast<std::size_t>(bam_get_l_aux(record)));
  while (!left.empty()) {
    const std::size_t size = packed_tag_size(left);
    if (size == 0) reader.fail("its optional fields are malformed; repair the record");
    if (left.starts_with("RGZ")) {
      read_group = left.substr(3, size - 4);
    } else if (with_tags && !left.starts_with("RG") && !is_written_by_align(left.substr(0, 2))) {
      tags += left.substr(0, size);
    }
    left.remove_prefix(size);
  }
  if (reversed) trim_packed_tags(tags.data(), tags.size(), {0, bases.size(), bases.size(), true});
}

ReadView OriginalRead::view(std::uint32_t read_group_number) const {
  return {name, {}, bases, qualities, tags, read_group_number, (flag & records::sam_flag::qc_fail) != 0};
}

}  // namespace warpseed::reads
