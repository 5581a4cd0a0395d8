// Plain records: those of mates with one alignment each to report. Most pairs have two.
#pragma once

#include <cstdint>

#include "align/pair/pair_core.hpp"
#include "align/record/reported_path_core.hpp"

namespace warpseed::align {

/// From 5' end to 5' end, as in bwa: positive for the leftmost mate.
WS_HD constexpr std::int64_t template_length(std::int64_t five_prime, std::int64_t mate_five_prime) {
  const std::int64_t apart = mate_five_prime - five_prime;
  return apart + (apart > 0 ? 1 : apart < 0 ? -1 : 0);
}

/// Can a BAM record hold the read, and does nothing of it have to be trimmed? Sizes of its parts, in bytes.
WS_HD constexpr bool is_simple(std::uint64_t name, std::uint64_t bases, std::uint64_t qualities, std::uint64_t tags) {
  return tags == 0 && name <= records::longest_name && (qualities == 0 || qualities == bases);
}

inline bool is_simple(const reads::ReadView& read) {
  return is_simple(read.name.size(), read.bases.size(), read.qualities.size(), read.tags.size());
}

/// Is the primary alignment all that is reported of a read, without SA, XA and pa? For options without report_all.
WS_HD inline bool is_plain(const View<Alignment>& ranked, const Choice& choice, const AlignOptions& options) {
  if (choice.primary == no_alignment || ranked[static_cast<std::uint64_t>(choice.primary)].alt_score > 0) return false;
  bool listed = false;
  for (std::uint32_t i = 0; i < ranked.size; ++i) {
    if (static_cast<std::int32_t>(i) == choice.primary) continue;
    if (ranked[i].secondary_to == no_alignment && ranked[i].score >= options.min_score) return false;
    listed |= is_listed(ranked.data, i, choice.primary, options);
  }
  return !listed || !lists_alternatives(ranked.data, static_cast<std::uint32_t>(ranked.size), choice.primary, options);
}

/// A mate's primary alignment, its position, and its path.
template <class Elements>
struct PlainMate {
  const Alignment* alignment;
  ReportedPath<Elements> path;
  View<Difference> differences;
  std::int64_t position;  // in the contig
  std::int32_t mapq;
  bool proper;

  WS_HD std::int64_t five_prime() const {
    return alignment->reverse ? position + static_cast<std::int64_t>(path.genome_bases()) - 1 : position;
  }
};

template <class Elements>
WS_HD inline std::uint16_t plain_flag(const PlainMate<Elements>& mine, const PlainMate<Elements>& mate, bool first) {
  using namespace records::sam_flag;
  return static_cast<std::uint16_t>(paired | (first ? records::sam_flag::first : second) |
                                    (mine.proper ? proper_pair : 0) | (mine.alignment->reverse ? reverse : 0) |
                                    (mate.alignment->reverse ? mate_reverse : 0));
}

/// The fields of a record whose name and read have so many bytes and bases. flags: further ones.
template <class Elements>
WS_HD inline records::RecordFields plain_fields(const PlainMate<Elements>& mine, const PlainMate<Elements>& mate,
                                                bool first, std::uint16_t flags, std::uint64_t name_bytes,
                                                std::uint64_t bases) {
  records::RecordFields fields;
  fields.flag = static_cast<std::uint16_t>(plain_flag(mine, mate, first) | flags);
  fields.contig = static_cast<std::int32_t>(mine.alignment->contig);
  fields.position = mine.position;
  fields.mapq = static_cast<std::uint8_t>(mine.mapq);
  fields.mate_contig = static_cast<std::int32_t>(mate.alignment->contig);
  fields.mate_position = mate.position;
  if (fields.contig == fields.mate_contig)
    fields.template_length = template_length(mine.five_prime(), mate.five_prime());
  fields.genome_bases = mine.path.genome_bases();
  fields.name_bytes = name_bytes;
  fields.cigar_elements = mine.path.size();
  fields.bases = bases;
  return fields;
}

/// The most bytes that put_plain_tags() writes, without those of the read group's ID.
template <class Elements>
WS_HD inline std::uint64_t room_for_tags(const PlainMate<Elements>& mine, const PlainMate<Elements>& mate) {
  constexpr std::uint64_t number = 10, integer_tags = 4 * 7, text_tags = 3 * 4;
  return integer_tags + text_tags + (number + 2) * (mine.differences.size + mine.path.size() + 1) +
         (number + 1) * mate.path.size();
}

/// Writes the tags, in the order of BamRecord; read_group may be empty. Returns their end.
template <class Elements>
WS_HD inline std::uint8_t* put_plain_tags(const PlainMate<Elements>& mine, const PlainMate<Elements>& mate,
                                          const View<char>& read_group, std::uint8_t* out) {
  out = records::put_integer_tag("NM", edit_distance(mine.path, mine.differences), out);
  out = records::put_text_tag(
      "MD", [&](const auto& put) { put_mismatches(mine.path, mine.differences, put); }, out);
  out = records::put_text_tag(
      "MC",
      [&](const auto& put) {
        mate.path.for_each([&](records::CigarElement element) { records::put_cigar_element(element, put); });
      },
      out);
  out = records::put_integer_tag("MQ", mate.mapq, out);
  out = records::put_integer_tag("AS", mine.alignment->score, out);
  out = records::put_integer_tag("XS", mine.alignment->second_score, out);
  if (read_group.size == 0) return out;
  return records::put_text_tag(
      "RG",
      [&](const auto& put) {
        for (const char character : read_group) put(character);
      },
      out);
}

}  // namespace warpseed::align
