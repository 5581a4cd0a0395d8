#include "align/record/record_builder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "align/pair/first_part.hpp"
#include "align/record/path_core.hpp"
#include "align/record/plain_record_core.hpp"
#include "align/select/mapq_core.hpp"

namespace warpseed::align {

namespace {

void harden_clips(std::vector<records::CigarElement>& cigar) {
  for (records::CigarElement& element : cigar) {
    if (records::cigar_op(element) == records::CigarOp::soft_clip)
      element = records::cigar_element(records::CigarOp::hard_clip, records::cigar_length(element));
  }
}

/// What the records of a read say of its mate, taken from the mate's primary record.
struct Mate {
  bool mapped, reverse;
  std::int32_t contig;
  std::int64_t position, five_prime;
  std::uint8_t mapq;
  std::string cigar;

  explicit Mate(const records::AlignmentRecord& record)
      : mapped(records::is_mapped(record)),
        reverse(records::is_reverse(record)),
        contig(record.contig),
        position(record.position),
        five_prime(records::five_prime(record)),
        mapq(record.mapq) {
    if (mapped) cigar = records::cigar_text(record.cigar);
  }
};

/// Sets the mate fields of every record of a read, the primary one first. An unmapped read gets its mate's position.
void link_mate(ReadRecords& records, const Mate& mate, std::uint16_t end_flag) {
  for (records::AlignmentRecord& record : records) {
    record.flag |= records::sam_flag::paired | end_flag;
    if (!mate.mapped) record.flag |= records::sam_flag::mate_unmapped;
    if (!records::is_mapped(record) && mate.mapped) record.contig = mate.contig, record.position = mate.position;
    if (mate.mapped) {
      if (mate.reverse) record.flag |= records::sam_flag::mate_reverse;
      record.mate_contig = mate.contig, record.mate_position = mate.position;
      record.mate_cigar = mate.cigar;
      record.mate_mapq = mate.mapq;
    } else {
      record.mate_contig = records.front().contig, record.mate_position = records.front().position;
    }
    if (records::is_mapped(record) && mate.mapped && record.contig == mate.contig) {
      record.template_length = template_length(records::five_prime(record), mate.five_prime);
    }
  }
}

}  // namespace

records::AlignmentRecord RecordBuilder::record_of(const Alignment& alignment, const ReadAlignments& aligned,
                                                  std::int32_t mapq) {
  const auto number = static_cast<std::size_t>(&alignment - aligned.alignments.data());
  return record_of(alignment, tracer_.trace(alignment, aligned.read, aligned.paths.find(number)), mapq);
}

records::AlignmentRecord RecordBuilder::record_of(const Alignment& alignment, Path path, std::int32_t mapq) {
  records::AlignmentRecord record;
  record.flag = alignment.reverse ? records::sam_flag::reverse : std::uint16_t{0};
  record.contig = static_cast<std::int32_t>(alignment.contig);
  record.position = path.position;
  record.mapq = static_cast<std::uint8_t>(mapq);
  record.cigar = std::move(path.cigar);
  record.edit_distance = path.edit_distance;
  record.mismatches = std::move(path.mismatches);
  record.differences = std::move(path.differences);
  record.ambiguous_differences = std::move(path.ambiguous_differences);
  record.score = alignment.score;
  record.second_score = alignment.second_score;
  if (alignment.alt_score > 0) {
    record.share_of_alt = static_cast<float>(alignment.score) / static_cast<float>(alignment.alt_score);
  }
  return record;
}

/// "contig,+pos,CIGAR,NM;" as in XA, or "contig,pos,strand,CIGAR,MAPQ,NM;" as in SA; positions are 1-based.
std::string RecordBuilder::position_text(const records::AlignmentRecord& record, bool signed_position) const {
  const std::string_view contig = index_.contig_name(static_cast<std::uint64_t>(record.contig));
  const char strand = records::is_reverse(record) ? '-' : '+';
  const std::string cigar = records::cigar_text(record.cigar);
  if (signed_position) {
    return fmt::format("{},{}{},{},{};", contig, strand, record.position + 1, cigar, record.edit_distance);
  }
  return fmt::format("{},{},{},{},{},{};", contig, record.position + 1, strand, cigar, record.mapq,
                     record.edit_distance);
}

std::string RecordBuilder::alternatives_of(const ReadAlignments& aligned, std::int32_t winner) {
  const Alignment* const alignments = aligned.alignments.data();
  const auto count = static_cast<std::uint32_t>(aligned.alignments.size());
  std::string text;
  if (!lists_alternatives(alignments, count, winner, options_)) return text;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (is_listed(alignments, i, winner, options_)) text += position_text(record_of(alignments[i], aligned, 0), true);
  }
  return text;
}

void RecordBuilder::link_splits(ReadRecords& records, std::size_t split_count) const {
  if (split_count < 2) return;
  std::vector<std::string> positions;  // always with soft clips
  for (std::size_t i = 0; i < split_count; ++i) positions.push_back(position_text(records[i], false));
  for (std::size_t i = 0; i < split_count; ++i) {
    for (std::size_t j = 0; j < split_count; ++j) {
      if (j != i) records[i].split += positions[j];
    }
    if (i == 0) continue;
    records[i].flag |= options_.split_as_secondary ? records::sam_flag::secondary : records::sam_flag::supplementary;
    if (!options_.soft_clip_split && !options_.is_alt(static_cast<std::uint32_t>(records[i].contig))) {
      harden_clips(records[i].cigar);
    }
  }
}

ReadRecords RecordBuilder::single(const ReadAlignments& aligned, const Choice& choice) {
  ReadRecords records;
  if (choice.primary == no_alignment) {
    records.emplace_back().flag = records::sam_flag::unmapped;
    return records;
  }
  const auto& alignments = aligned.alignments;
  const auto add = [&](std::int32_t index, std::int32_t mapq) {
    records.push_back(record_of(alignments[static_cast<std::size_t>(index)], aligned, mapq));
    if (!options_.report_all) records.back().alternatives = alternatives_of(aligned, index);
  };
  add(choice.primary, choice.mapq);
  const auto count = static_cast<std::int32_t>(alignments.size());
  for (std::int32_t i = 0; i < count; ++i) {
    const Alignment& other = alignments[static_cast<std::size_t>(i)];
    if (i == choice.primary || other.secondary_to != no_alignment || other.score < options_.min_score) continue;
    const std::int32_t mapq = single_mapq(other, aligned.traits, options_);
    const bool keep = other.alt || options_.keep_split_mapq || options_.first_part_primary;
    add(i, keep ? mapq : std::min(mapq, choice.mapq));  // ALT: another version of the locus, not another part
  }
  link_splits(records, records.size());
  for (std::int32_t i = 0; i < count && options_.report_all && !choice.proper; ++i) {
    const Alignment& other = alignments[static_cast<std::size_t>(i)];
    if (other.secondary_to == no_alignment || other.alt || other.score < options_.min_score) continue;
    records.push_back(record_of(other, aligned, 0));
    records.back().flag |= records::sam_flag::secondary;
    records.back().omit_sequence = true;
    if (!options_.soft_clip_split) harden_clips(records.back().cigar);
  }
  return records;
}

ReadRecords RecordBuilder::long_read(const ReadAlignments& aligned) {
  ReadRecords records;
  const std::span<const LongAlignment> alignments(aligned.long_alignments);
  const auto add_one = [&](const LongAlignment& alignment) {
    records.push_back(record_of(alignment, tracer_.trace(alignment, aligned.read), alignment.mapq));
  };
  const std::int32_t first =
      options_.first_part_primary ? first_part(alignments, aligned.read.length(), 0) : no_alignment;
  if (first != no_alignment) add_one(alignments[static_cast<std::size_t>(first)]);
  const auto add = [&](bool secondary) {
    for (std::size_t i = 0; i < alignments.size(); ++i) {
      if (static_cast<std::int32_t>(i) == first || (alignments[i].secondary_to != no_alignment) != secondary) continue;
      add_one(alignments[i]);
    }
  };
  add(false);
  if (records.empty()) records.emplace_back().flag = records::sam_flag::unmapped;
  const std::size_t split_count = records.size();
  link_splits(records, split_count);
  if (options_.report_all) add(true);
  for (std::size_t i = split_count; i < records.size(); ++i) {
    records[i].flag |= records::sam_flag::secondary;
    records[i].omit_sequence = true;
    if (!options_.soft_clip_split) harden_clips(records[i].cigar);
  }
  return records;
}

std::pair<ReadRecords, ReadRecords> RecordBuilder::pair(const ReadAlignments& first, const ReadAlignments& second,
                                                        const ChoicePair& choices) {
  ReadRecords records1 = single(first, choices.first), records2 = single(second, choices.second);
  const auto mark_proper = [](ReadRecords& records, const Choice& choice) {
    if (!choice.proper) return;
    for (records::AlignmentRecord& record : records) record.flag |= records::sam_flag::proper_pair;
  };
  mark_proper(records1, choices.first);
  mark_proper(records2, choices.second);
  const Mate mate1(records1.front()), mate2(records2.front());
  link_mate(records1, mate2, records::sam_flag::first);
  link_mate(records2, mate1, records::sam_flag::second);
  return {std::move(records1), std::move(records2)};
}

}  // namespace warpseed::align
