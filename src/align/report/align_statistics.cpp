#include "align/report/align_statistics.hpp"

#include <algorithm>
#include <cstdlib>

namespace warpseed::align {

namespace {

/// The orientation of two mapped mates in one contig, from their aligned bases.
Orientation orientation_of(const AlignedRecord& first, const AlignedRecord& second) {
  const bool reverse1 = first.is_reverse(), reverse2 = second.is_reverse();
  const std::int64_t rightwards = second.five_prime() - first.five_prime();
  const std::int64_t ahead = reverse1 ? -rightwards : rightwards;
  if (reverse1 == reverse2) return ahead > 0 ? Orientation::ff : Orientation::rr;
  return ahead >= 0 ? Orientation::fr : Orientation::rf;
}

}  // namespace

InsertSizeCounts::Sizes InsertSizeCounts::all_sizes() const {
  Sizes all;
  for (const Sizes& some : sizes) {
    for (const auto& [size, count] : some) all[size] += count;
  }
  return all;
}

InsertSizeCounts& InsertSizeCounts::operator+=(const InsertSizeCounts& other) {
  pairs += other.pairs;
  for (std::size_t i = 0; i < orientation_count; ++i) {
    orientations[i] += other.orientations[i];
    for (const auto& [size, count] : other.sizes[i]) sizes[i][size] += count;
  }
  return *this;
}

void AlignStatistics::add_read(const reads::ReadView& read, const ReadRecords& records) {
  counts.add_read(records);
  const bool is_long = read.bases.size() > longest_short_read;
  if (is_long) long_reads.add(read.bases.size(), records);
  if (!in_detail_) return;
  is_long ? long_profile.add(read, false) : profiles[0].add(read);
  add_coverage(records);
  if (!records::is_mapped(records.front())) return;
  ++mapping_qualities[records.front().mapq];
  if (!is_long) ends[0].add(records.front(), read);
}

void AlignStatistics::add_pair(const reads::ReadView& first, const reads::ReadView& second, const ReadRecords& records1,
                               const ReadRecords& records2) {
  counts.add_pair(records1, records2);
  if (!in_detail_) return;
  add_pair_details(first, second, records1.front(), records2.front());
  add_coverage(records1), add_coverage(records2);
}

void AlignStatistics::add_plain_pair(const reads::ReadView& first, const reads::ReadView& second,
                                     const ChoicePair& choices, const bam1_t& record1, const bam1_t& record2) {
  counts.add_plain_pair(choices);
  if (!in_detail_) return;
  const AlignedRecord primary1(record1), primary2(record2);
  add_pair_details(first, second, primary1, primary2);
  if (coverage_) coverage_->add(primary1, window_bases), coverage_->add(primary2, window_bases);
}

void AlignStatistics::add_pair_details(const reads::ReadView& first, const reads::ReadView& second,
                                       const AlignedRecord& primary1, const AlignedRecord& primary2) {
  add_details(first, primary1, ends[0]);
  add_details(second, primary2, ends[1]);
  profiles[0].add(first), profiles[1].add(second);
  if (insert_sizes.size() <= first.read_group) insert_sizes.resize(first.read_group + std::size_t{1});
  InsertSizeCounts& group = insert_sizes[first.read_group];
  ++group.pairs;
  const bool unmapped = ((primary1.flag | primary2.flag) & records::sam_flag::unmapped) != 0;
  if (unmapped || primary1.contig != primary2.contig) return;
  const auto orientation = static_cast<std::size_t>(orientation_of(primary1, primary2));
  ++group.orientations[orientation];
  const bool proper = (primary1.flag & records::sam_flag::proper_pair) != 0;
  if (proper) ++group.sizes[orientation][std::abs(primary1.template_length)];
}

void AlignStatistics::add_details(const reads::ReadView& read, const AlignedRecord& primary, ErrorProfile& profile) {
  if (primary.flag & records::sam_flag::unmapped) return;
  ++mapping_qualities[primary.mapq];
  profile.add(primary, read);
}

void AlignStatistics::add_coverage(const ReadRecords& records) {
  if (!coverage_) return;
  for (const records::AlignmentRecord& record : records) {
    const bool secondary = (record.flag & records::sam_flag::secondary) != 0;
    if (records::is_mapped(record) && !secondary) coverage_->add(record, window_bases);
  }
}

AlignStatistics& AlignStatistics::operator+=(const AlignStatistics& other) {
  counts += other.counts;
  long_reads += other.long_reads;
  for (std::size_t i = 0; i < mapping_qualities.size(); ++i) mapping_qualities[i] += other.mapping_qualities[i];
  insert_sizes.resize(std::max(insert_sizes.size(), other.insert_sizes.size()));
  for (std::size_t group = 0; group < other.insert_sizes.size(); ++group) {
    insert_sizes[group] += other.insert_sizes[group];
  }
  for (std::size_t end = 0; end < 2; ++end) ends[end] += other.ends[end], profiles[end] += other.profiles[end];
  long_profile += other.long_profile;
  window_bases.resize(std::max(window_bases.size(), other.window_bases.size()));
  for (std::size_t i = 0; i < other.window_bases.size(); ++i) window_bases[i] += other.window_bases[i];
  return *this;
}

}  // namespace warpseed::align
