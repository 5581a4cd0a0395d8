#include "simulate/quality_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "simulate/synthetic_core.hpp"
#include "warpseed/error.hpp"

namespace warpseed::simulate {

QualityModel::QualityModel(const QualityProfile& profile, std::uint32_t length) : length_(length) {
  for (unsigned mate = 0; mate < 2; ++mate) {
    if (profile.cycles(mate) == 0) {
      throw InputError(fmt::format("no base qualities of read {} of pairs; take FASTQ with reads", mate + 1));
    }
    cycles_[mate].resize(profile.cycles(mate));
    for (std::size_t i = 0; i < cycles_[mate].size(); ++i) cycles_[mate][i] = make_cycle(profile, mate, i);
  }
}

QualityModel::Cycle QualityModel::make_cycle(const QualityProfile& profile, unsigned mate, std::size_t cycle) {
  Cycle rows;
  std::array<std::uint64_t, values> all = {};
  bool seen[values] = {};
  for (std::size_t previous = 0; previous < values; ++previous) {
    std::array<std::uint64_t, values> counts;
    for (std::size_t i = 0; i < values; ++i) {
      counts[i] = profile.count(mate, cycle, previous, i);
      all[i] += counts[i];
      seen[previous] |= counts[i] != 0;
    }
    if (seen[previous]) rows[previous] = make_row(counts);
  }
  const Row of_all = make_row(all);  // a stretched cycle can come after values that were never before it
  for (std::size_t i = 0; i < values; ++i) {
    if (!seen[i]) rows[i] = of_all;
  }
  return rows;
}

/// Fills the columns, of one height, with the values' counts, at most two values in each.
QualityModel::Row QualityModel::make_row(const std::array<std::uint64_t, values>& counts) {
  const std::uint64_t height = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  std::array<std::uint64_t, values> left;
  std::vector<std::size_t> low, high;
  for (std::size_t i = 0; i < values; ++i) {
    left[i] = counts[i] * values;
    (left[i] < height ? low : high).push_back(i);
  }
  constexpr std::uint64_t whole = 1 << threshold_bits;
  const auto column = [](std::uint64_t threshold, std::size_t other) {
    return static_cast<Column>(other << threshold_bits | std::min(threshold, whole - 1));
  };
  Row row;
  for (std::size_t i = 0; i < values; ++i) row[i] = column(0, i);  // those that are full have one value
  while (!low.empty() && !high.empty()) {
    const std::size_t own = low.back(), other = high.back();
    low.pop_back();
    row[own] = column((left[own] * whole + height / 2) / height, other);
    left[other] -= height - left[own];
    if (left[other] >= height) continue;
    high.pop_back();
    low.push_back(other);
  }
  return row;
}

void QualityModel::draw(unsigned mate, std::span<const std::uint64_t> keys, char* qualities) const {
  constexpr std::size_t at_once = 64;  // their chains of dependent loads overlap, and a cycle's rows stay in the cache
  constexpr std::uint32_t draws = 4;   // of a hash
  constexpr std::uint32_t low_bits = (1 << threshold_bits) - 1;
  for (; keys.size() > at_once; keys = keys.subspan(at_once), qualities += at_once * length_) {
    draw(mate, keys.first(at_once), qualities);
  }
  std::array<std::uint64_t, at_once> random = {};
  std::array<std::uint32_t, at_once> value = {};
  // Of a profile that is longer than the reads every cycle is drawn, and some are left out: so each has its distribution.
  const std::size_t cycles = cycles_[mate].size(), steps = std::max<std::size_t>(cycles, length_);
  for (std::size_t step = 0, i = 0; step < steps; ++step) {
    const Cycle& rows = cycles_[mate][step * cycles / steps];
    const bool written = step * length_ / steps == i;
    const unsigned shift = 16 * (step % draws);
    if (shift == 0) {
      for (std::size_t read = 0; read < keys.size(); ++read) {
        random[read] = synthetic::mix_bits(keys[read] + step / draws);
      }
    }
    for (std::size_t read = 0; read < keys.size(); ++read) {
      const auto number = static_cast<std::uint32_t>(random[read] >> shift & 0xFFFF);
      const std::uint32_t own = number >> threshold_bits, column = rows[value[read]][own];
      const std::uint32_t other = column >> threshold_bits, is_own = (number & low_bits) < (column & low_bits) ? 1 : 0;
      value[read] = other ^ ((own ^ other) & (0 - is_own));  // no branch: it would be unpredictable
      if (written) qualities[read * length_ + i] = static_cast<char>(33 + value[read]);
    }
    i += written ? 1 : 0;
  }
}

}  // namespace warpseed::simulate
