// Counts of reads, pairs and records.
#pragma once

#include <array>
#include <cstdint>

#include "align/record/record_builder.hpp"

namespace warpseed::align {

/// A read is unique if its mapping quality is above 0, repeated if it is mapped with 0. Reads of pairs are in
/// concordant (proper) pairs, discordant ones (both mates unique, but no proper pair), or mates of the other pairs.
struct AlignCounts {
  bool paired = false;  // the input is one of pairs, perhaps with single reads among them
  std::uint64_t reads = 0;
  std::uint64_t unmapped = 0, unique = 0, repeated = 0;                       // all reads
  std::uint64_t single_unmapped = 0, single_unique = 0, single_repeated = 0;  // reads of no pair
  std::uint64_t secondary_records = 0, supplementary_records = 0;
  std::uint64_t proper_unique = 0, proper_repeated = 0;                 // pairs; unique: both mates
  std::uint64_t discordant_unique = 0;                                  // pairs
  std::uint64_t both_mapped = 0, one_mapped = 0;                        // pairs
  std::uint64_t rest_unmapped = 0, rest_unique = 0, rest_repeated = 0;  // mates of the other pairs

  void add_read(const ReadRecords& records);  // a single read
  void add_pair(const ReadRecords& first, const ReadRecords& second);
  void add_plain_pair(const ChoicePair& choices);  // each mate is mapped and has one record
  AlignCounts& operator+=(const AlignCounts& other);

  /// All sums, for ValueWriter and ValueReader.
  template <class Self, class Values>
  static void for_each_value(Self& self, Values& values) {
    values(self.paired);
    for (const auto number : numbers()) values(self.*number);
  }

  std::uint64_t mapped() const { return unique + repeated; }
  std::uint64_t singles() const { return single_unmapped + single_unique + single_repeated; }
  std::uint64_t singles_among_pairs() const { return paired ? singles() : 0; }
  std::uint64_t pairs() const { return (reads - singles()) / 2; }
  std::uint64_t proper() const { return proper_unique + proper_repeated; }

 private:
  enum class Outcome { unmapped, unique, repeated };

  static constexpr std::array<std::uint64_t AlignCounts::*, 17> numbers() {
    using C = AlignCounts;
    return {&C::reads,           &C::unmapped,          &C::unique,
            &C::repeated,        &C::single_unmapped,   &C::single_unique,
            &C::single_repeated, &C::secondary_records, &C::supplementary_records,
            &C::proper_unique,   &C::proper_repeated,   &C::discordant_unique,
            &C::both_mapped,     &C::one_mapped,        &C::rest_unmapped,
            &C::rest_unique,     &C::rest_repeated};
  }

  static Outcome outcome_of(const ReadRecords& records);
  static void count(Outcome outcome, std::uint64_t& unmapped, std::uint64_t& unique, std::uint64_t& repeated);
  void count_records(const ReadRecords& records);
  void count_read(Outcome outcome);
  void count_pair(Outcome one, Outcome two, bool proper);
};

}  // namespace warpseed::align
