#include "align/report/align_counts.hpp"

namespace warpseed::align {

namespace {

enum class Outcome { unmapped, unique, repeated };

Outcome outcome_of(const ReadRecords& records) {
  const records::AlignmentRecord& primary = records.front();
  if (primary.flag & records::sam_flag::unmapped) return Outcome::unmapped;
  return primary.mapq > 0 ? Outcome::unique : Outcome::repeated;
}

void count(Outcome outcome, std::uint64_t& unmapped, std::uint64_t& unique, std::uint64_t& repeated) {
  switch (outcome) {
    case Outcome::unmapped: ++unmapped; break;
    case Outcome::unique: ++unique; break;
    case Outcome::repeated: ++repeated; break;
  }
}

}  // namespace

void AlignCounts::count_read(const ReadRecords& records) {
  ++reads;
  count(outcome_of(records), unmapped, unique, repeated);
  for (const records::AlignmentRecord& record : records) {
    if (record.flag & records::sam_flag::secondary) ++secondary_records;
    if (record.flag & records::sam_flag::supplementary) ++supplementary_records;
  }
}

void AlignCounts::add_read(const ReadRecords& records) {
  count_read(records);
  count(outcome_of(records), single_unmapped, single_unique, single_repeated);
}

void AlignCounts::add_pair(const ReadRecords& first, const ReadRecords& second) {
  paired = true;
  count_read(first);
  count_read(second);
  const Outcome one = outcome_of(first), two = outcome_of(second);
  const int mapped_mates = (one != Outcome::unmapped) + (two != Outcome::unmapped);
  both_mapped += mapped_mates == 2;
  one_mapped += mapped_mates == 1;
  const bool both_unique = one == Outcome::unique && two == Outcome::unique;
  if (first.front().flag & records::sam_flag::proper_pair) {
    ++(both_unique ? proper_unique : proper_repeated);
  } else if (both_unique) {
    ++discordant_unique;
  } else {
    count(one, rest_unmapped, rest_unique, rest_repeated);
    count(two, rest_unmapped, rest_unique, rest_repeated);
  }
}

AlignCounts& AlignCounts::operator+=(const AlignCounts& other) {
  paired = paired || other.paired;
  for (const auto number : {&AlignCounts::reads, &AlignCounts::unmapped, &AlignCounts::unique, &AlignCounts::repeated,
                            &AlignCounts::single_unmapped, &AlignCounts::single_unique, &AlignCounts::single_repeated,
                            &AlignCounts::secondary_records, &AlignCounts::supplementary_records,
                            &AlignCounts::proper_unique, &AlignCounts::proper_repeated, &AlignCounts::discordant_unique,
                            &AlignCounts::both_mapped, &AlignCounts::one_mapped, &AlignCounts::rest_unmapped,
                            &AlignCounts::rest_unique, &AlignCounts::rest_repeated}) {
    this->*number += other.*number;
  }
  return *this;
}

}  // namespace warpseed::align
