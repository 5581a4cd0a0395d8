#include "api/alignments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "records/alignment_record.hpp"

namespace warpseed {

namespace {

std::optional<MatePosition> mate_of(const records::AlignmentRecord& record) {
  const bool paired = (record.flag & records::sam_flag::paired) != 0;
  if (!paired || (record.flag & records::sam_flag::mate_unmapped) != 0) return std::nullopt;
  return MatePosition{static_cast<std::size_t>(record.mate_contig), static_cast<std::uint64_t>(record.mate_position),
                      record.mate_mapq, record.mate_cigar};
}

Alignment alignment_of(const records::AlignmentRecord& record) {
  Alignment alignment;
  alignment.contig = static_cast<std::size_t>(record.contig);
  alignment.position = static_cast<std::uint64_t>(record.position);
  alignment.end = alignment.position + static_cast<std::uint64_t>(records::reference_span(record.cigar));
  alignment.reverse = records::is_reverse(record);
  alignment.mapq = record.mapq;
  alignment.flag = record.flag;
  alignment.cigar = records::cigar_text(record.cigar);
  alignment.edit_distance = record.edit_distance;
  alignment.mismatches = record.mismatches;
  alignment.score = record.score;
  alignment.second_score = record.second_score;
  alignment.split = record.split;
  alignment.alternatives = record.alternatives;
  if (record.share_of_alt >= 0) alignment.share_of_alt = record.share_of_alt;
  alignment.differences = record.differences;
  alignment.ambiguous_differences = record.ambiguous_differences;
  alignment.mate = mate_of(record);
  alignment.template_length = record.template_length;
  return alignment;
}

}  // namespace

namespace api {

Alignments alignments_of(const align::ReadRecords& records, const std::string& read_group) {
  Alignments alignments;
  for (const records::AlignmentRecord& record : records) {
    if (!records::is_mapped(record)) continue;
    alignments.push_back(alignment_of(record));
    alignments.back().read_group = read_group;
  }
  return alignments;
}

}  // namespace api

std::string sam_tags(const Alignment& alignment) {
  std::string text = fmt::format("NM:i:{}\tMD:Z:{}", alignment.edit_distance, alignment.mismatches);
  const auto out = std::back_inserter(text);
  if (alignment.mate) {
    fmt::format_to(out, "\tMC:Z:{}\tMQ:i:{}", alignment.mate->cigar, alignment.mate->mapq);
  }
  fmt::format_to(out, "\tAS:i:{}", alignment.score);
  if (alignment.second_score >= 0) fmt::format_to(out, "\tXS:i:{}", alignment.second_score);
  if (!alignment.read_group.empty()) fmt::format_to(out, "\tRG:Z:{}", alignment.read_group);
  if (!alignment.split.empty()) fmt::format_to(out, "\tSA:Z:{}", alignment.split);
  if (alignment.share_of_alt) fmt::format_to(out, "\tpa:f:{:g}", *alignment.share_of_alt);
  if (!alignment.alternatives.empty()) fmt::format_to(out, "\tXA:Z:{}", alignment.alternatives);
  if (!alignment.differences.empty()) fmt::format_to(out, "\tcs:Z:{}", alignment.differences);
  if (!alignment.ambiguous_differences.empty()) fmt::format_to(out, "\tds:Z:{}", alignment.ambiguous_differences);
  return text;
}

}  // namespace warpseed
