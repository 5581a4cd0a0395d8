// What the base qualities of real reads are like: how often each value follows each other one, by mate and cycle.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace warpseed::simulate {

/// The four values of a NovaSeq for a quality: 2 (0 to 2), 12 (up to 17), 23 (up to 29), 37.
constexpr std::uint8_t binned_quality(std::uint8_t quality) {
  return quality <= 2 ? 2 : quality <= 17 ? 12 : quality <= 29 ? 23 : 37;
}

/// Counts of pairs of neighbours. A cycle is a base's position in the read as sequenced, from 0.
class QualityProfile {
 public:
  static constexpr std::size_t values = 64;  // 0 to 63, more than sequencers of short reads write

  /// binned: count binned_quality() of each value.
  explicit QualityProfile(bool binned) : binned_(binned) {}

  /// Counts the qualities of a read, Phred+33. mate: 0 or 1. Throws InputError for a value above 63.
  void add(unsigned mate, std::string_view qualities);

  /// The longest read of a mate.
  std::size_t cycles(unsigned mate) const { return counts_[mate].size(); }

  /// How often `quality` was at `cycle` after `previous`; at cycle 0 `previous` is 0.
  std::uint64_t count(unsigned mate, std::size_t cycle, std::size_t previous, std::size_t quality) const {
    return counts_[mate][cycle][previous * values + quality];
  }

 private:
  using CycleCounts = std::array<std::uint64_t, values * values>;

  bool binned_;
  std::vector<CycleCounts> counts_[2];
};

}  // namespace warpseed::simulate
