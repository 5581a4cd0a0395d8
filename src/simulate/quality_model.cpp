#include "simulate/quality_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "simulate/synthetic_core.hpp"
#include "warpseed/error.hpp"

namespace warpseed::simulate {

namespace {

constexpr std::size_t values = QualityProfile::values;
using Counts = std::array<std::uint64_t, values>;

/// By previous value.
std::array<Counts, values> counts_of(const QualityProfile& profile, unsigned mate, std::size_t cycle) {
  std::array<Counts, values> counts;
  for (std::size_t previous = 0; previous < values; ++previous) {
    for (std::size_t i = 0; i < values; ++i) counts[previous][i] = profile.count(mate, cycle, previous, i);
  }
  return counts;
}

std::uint64_t sum(const Counts& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

/// What follows a value of the cycle when the cycle comes again: as from cycle to cycle, but a step is left out so far
/// as the way back is rarer, so that the distribution stays. (A low quality that lasts to the end would else become more
/// frequent with each repetition.) Metropolis et al., "Equation of state calculations by fast computing machines", 1953.
std::array<Counts, values> repeated(const std::array<Counts, values>& counts) {
  constexpr std::uint64_t whole = 1 << 20;
  Counts before = {}, now = {};
  for (std::size_t i = 0; i < values; ++i) {
    before[i] = sum(counts[i]);
    for (std::size_t k = 0; k < values; ++k) now[k] += counts[i][k];
  }
  const auto step = [&](std::size_t from, std::size_t to) {
    return before[from] == 0 ? 0 : counts[from][to] * whole / before[from];
  };
  std::array<Counts, values> steps = {};
  for (std::size_t i = 0; i < values; ++i) {
    if (now[i] == 0) continue;
    steps[i][i] = whole;
    for (std::size_t k = 0; k < values; ++k) {
      if (k == i) continue;
      steps[i][k] = std::min(step(i, k), step(k, i) * now[k] / now[i]);
      steps[i][i] -= steps[i][k];
    }
  }
  return steps;
}

}  // namespace

QualityModel::QualityModel(const QualityProfile& profile, std::uint32_t length) : length_(length) {
  for (unsigned mate = 0; mate < 2; ++mate) {
    if (profile.cycles(mate) == 0) {
      throw InputError(fmt::format("no base qualities of read {} of pairs; take FASTQ with reads", mate + 1));
    }
    for (std::size_t i = 0; i < profile.cycles(mate); ++i) {
      const std::array<Counts, values> counts = counts_of(profile, mate, i);
      cycles_[mate].push_back(make_cycle(counts));
      if (length > profile.cycles(mate)) repeated_[mate].push_back(make_cycle(repeated(counts)));
    }
  }
}

QualityModel::Cycle QualityModel::make_cycle(const std::array<Counts, values>& counts) {
  Counts all = {};
  for (const Counts& some : counts) {
    for (std::size_t i = 0; i < values; ++i) all[i] += some[i];
  }
  const Row of_all = make_row(all);  // where reads of the profile end, what follows may never have followed
  Cycle rows;
  for (std::size_t i = 0; i < values; ++i) rows[i] = sum(counts[i]) == 0 ? of_all : make_row(counts[i]);
  return rows;
}

/// Fills the columns, of one height, with the values' counts, at most two values in each.
QualityModel::Row QualityModel::make_row(const Counts& counts) {
  const std::uint64_t height = sum(counts);
  Counts left;
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
  constexpr std::size_t at_once = 256;  // their chains of dependent loads overlap, and a cycle's rows stay in the cache
  constexpr std::uint32_t draws = 4;    // of a hash
  constexpr std::uint32_t low_bits = (1 << threshold_bits) - 1;
  for (; keys.size() > at_once; keys = keys.subspan(at_once), qualities += at_once * length_) {
    draw(mate, keys.first(at_once), qualities);
  }
  std::array<std::uint64_t, at_once> random = {};
  std::array<std::uint32_t, at_once> value = {};
  // Of a profile that is longer than the reads every cycle is drawn, and some are left out: so each has its distribution.
  const std::size_t cycles = cycles_[mate].size(), steps = std::max<std::size_t>(cycles, length_);
  for (std::size_t step = 0, i = 0; step < steps; ++step) {
    const std::size_t cycle = step * cycles / steps;
    const bool again = step > 0 && (step - 1) * cycles / steps == cycle;
    const Cycle& rows = (again ? repeated_ : cycles_)[mate][cycle];
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
