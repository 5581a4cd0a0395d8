// Draws base qualities like those of a profile: a Markov chain of first order with tables by mate and cycle.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "simulate/quality_profile.hpp"

namespace warpseed::simulate {

/// For reads of the profile's length the distribution of each cycle and of each two neighbours is that of the profile;
/// longer reads repeat some cycles, shorter ones leave some out, evenly, and each keeps its distribution.
///
/// Source: Vose, "A linear algorithm for generating random numbers with a given distribution", IEEE Transactions on
/// Software Engineering 1991. In integers, so that every machine draws the same.
/// Memory: 8 KiB a cycle and mate, twice that for reads longer than the profile. Threads: any number.
class QualityModel {
 public:
  /// length: of the reads that are drawn. Throws InputError if the profile of a mate has no qualities.
  QualityModel(const QualityProfile& profile, std::uint32_t length);

  /// Writes the qualities of reads of one mate, Phred+33, one read after the other, each drawn by its key alone.
  /// qualities: [keys][length]. Several reads at a time are faster than one.
  void draw(unsigned mate, std::span<const std::uint64_t> keys, char* qualities) const;

  std::uint32_t length() const { return length_; }

 private:
  static constexpr std::size_t values = QualityProfile::values;
  static constexpr unsigned threshold_bits = 10;  // of a random number of 16 bits; the others choose a column
  static_assert(values << threshold_bits == 1 << 16);

  /// A column is its own value for thresholds below the lower bits, else the value in the upper bits.
  using Column = std::uint16_t;
  using Row = std::array<Column, values>;
  using Cycle = std::array<Row, values>;  // by previous value

  using Counts = std::array<std::uint64_t, values>;

  static Row make_row(const Counts& counts);
  static Cycle make_cycle(const std::array<Counts, values>& counts);

  std::uint32_t length_;
  std::vector<Cycle> cycles_[2];    // the profile's
  std::vector<Cycle> repeated_[2];  // for a cycle after the same one; empty unless reads are longer
};

}  // namespace warpseed::simulate
