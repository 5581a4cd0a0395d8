#include "align/report/align_counts.hpp"

namespace warpseed::align {

AlignCounts::Outcome AlignCounts::outcome_of(const ReadRecords& records) {
  const records::AlignmentRecord& primary = records.front();
  if (primary.flag & records::sam_flag::unmapped) return Outcome::unmapped;
  return primary.mapq > 0 ? Outcome::unique : Outcome::repeated;
}

void AlignCounts::count(Outcome outcome, std::uint64_t& unmapped, std::uint64_t& unique, std::uint64_t& repeated) {
  switch (outcome) {
    case Outcome::unmapped: ++unmapped; break;
    case Outcome::unique: ++unique; break;
    case Outcome::repeated: ++repeated; break;
  }
}

void AlignCounts::count_records(const ReadRecords& records) {
  for (const records::AlignmentRecord& record : records) {
    if (record.flag & records::sam_flag::secondary) ++secondary_records;
    if (record.flag & records::sam_flag::supplementary) ++supplementary_records;
  }
}

void AlignCounts::count_read(Outcome outcome) {
  ++reads;
  count(outcome, unmapped, unique, repeated);
}

void AlignCounts::count_pair(Outcome one, Outcome two, bool proper) {
  paired = true;
  count_read(one);
  count_read(two);
  const int mapped_mates = (one != Outcome::unmapped) + (two != Outcome::unmapped);
  both_mapped += mapped_mates == 2;
  one_mapped += mapped_mates == 1;
  const bool both_unique = one == Outcome::unique && two == Outcome::unique;
  if (proper) {
    ++(both_unique ? proper_unique : proper_repeated);
  } else if (both_unique) {
    ++discordant_unique;
  } else {
    count(one, rest_unmapped, rest_unique, rest_repeated);
    count(two, rest_unmapped, rest_unique, rest_repeated);
  }
}

void AlignCounts::add_read(const ReadRecords& records) {
  const Outcome outcome = outcome_of(records);
  count_records(records);
  count_read(outcome);
  count(outcome, single_unmapped, single_unique, single_repeated);
}

void AlignCounts::add_pair(const ReadRecords& first, const ReadRecords& second) {
  count_records(first);
  count_records(second);
  count_pair(outcome_of(first), outcome_of(second), (first.front().flag & records::sam_flag::proper_pair) != 0);
}

void AlignCounts::add_plain_pair(const ChoicePair& choices) {
  const auto outcome = [](const Choice& choice) { return choice.mapq > 0 ? Outcome::unique : Outcome::repeated; };
  count_pair(outcome(choices.first), outcome(choices.second), choices.first.proper);
}

AlignCounts& AlignCounts::operator+=(const AlignCounts& other) {
  paired = paired || other.paired;
  for (const auto number : numbers()) this->*number += other.*number;
  return *this;
}

}  // namespace warpseed::align
