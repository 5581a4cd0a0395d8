#include "align/record/plain_pairs.hpp"

#include <cstring>
#include <utility>

#include "records/bam_memory.hpp"

namespace warpseed::align {

namespace {

bool has_plain_record(const ReadAlignments& aligned, const Choice& choice, const AlignOptions& options) {
  return is_plain({aligned.alignments.data(), aligned.alignments.size()}, choice, options);
}

}  // namespace

/// Valid until the next call with this number.
PlainPairs::Mate PlainPairs::mate_of(const ReadAlignments& aligned, const Choice& choice, std::size_t number) {
  const auto primary = static_cast<std::size_t>(choice.primary);
  const Alignment& alignment = aligned.alignments[primary];
  const std::optional<PrecomputedCigar> known = aligned.paths.find(primary);
  const PrecomputedCigar found = known ? *known : tracers_[number].find_path(alignment, aligned.read);
  const std::uint32_t bases = alignment.query_end - alignment.query_begin;
  ungapped_[number] = records::cigar_element(records::CigarOp::match, bases);
  const std::span<const records::CigarElement> elements =
      found.cigar.empty() ? std::span(&ungapped_[number], bases > 0 ? 1 : 0) : found.cigar;
  Mate mate = {&alignment,
               reported_path(View(elements), static_cast<std::uint32_t>(elements.size()), alignment.query_begin,
                             aligned.read.length() - alignment.query_end),
               found.differences,
               0,
               choice.mapq,
               choice.proper};
  mate.position =
      static_cast<std::int64_t>(alignment.genome_begin - genome_.contig_begins[alignment.contig]) + mate.path.skipped;
  return mate;
}

/// Writes a record's data to data_. Returns what it is.
std::span<const std::uint8_t> PlainPairs::put_data(const Mate& mine, const Mate& mate, const reads::ReadView& read,
                                                   const std::string& read_group) {
  const std::uint64_t name = records::padded_name(read.name.size()), packed = (read.bases.size() + 1) / 2;
  const std::uint64_t room = name + sizeof(records::CigarElement) * mine.path.size() + packed + read.bases.size() +
                             room_for_tags(mine, mate) + read_group.size();
  if (data_.size() < room) data_.resize(room);
  std::uint8_t* out = data_.data();
  std::memset(out + name - 4, 0, 4);
  std::memcpy(out, read.name.data(), read.name.size());
  out += name;
  mine.path.for_each([&](records::CigarElement element) {
    std::memcpy(out, &element, sizeof element);
    out += sizeof element;
  });
  out = records::put_bases_and_qualities(read.bases, read.qualities, mine.alignment->reverse, out);
  out = put_plain_tags(mine, mate, {read_group.data(), read_group.size()}, out);
  return {data_.data(), out};
}

records::BamRecord PlainPairs::record(const Mate& mine, const Mate& mate, bool first, const reads::ReadView& read,
                                      const std::string& read_group, records::BamMemory& memory) {
  const std::uint16_t flags = read.qc_fail ? records::sam_flag::qc_fail : std::uint16_t{0};
  return {plain_fields(mine, mate, first, flags, read.name.size(), read.bases.size()),
          put_data(mine, mate, read, read_group), memory};
}

bool PlainPairs::add(const AlignedPair& pair, const std::array<reads::ReadView, 2>& reads,
                     const std::vector<std::string>& read_groups, records::BamMemory& memory,
                     std::vector<records::BamRecord>& to) {
  if (!is_simple(reads[0]) || !is_simple(reads[1])) return false;
  if (!has_plain_record(pair.first, pair.choices.first, options_)) return false;
  if (!has_plain_record(pair.second, pair.choices.second, options_)) return false;
  const Mate first = mate_of(pair.first, pair.choices.first, 0), second = mate_of(pair.second, pair.choices.second, 1);
  to.push_back(record(first, second, true, reads[0], read_groups.at(reads[0].read_group), memory));
  to.push_back(record(second, first, false, reads[1], read_groups.at(reads[1].read_group), memory));
  return true;
}

}  // namespace warpseed::align
