// Layout and bases of a synthetic genome as functions of the position, the same on the CPU and on a device.
//
// The genome has three layers, each determined by hashes of the seed and of the layer's own counters:
//   stretch  a run of N, a tandem array, a duplication, or plain: see stretch_at()
//   piece    within a plain stretch: random bases, or a copy of an element; within an array: one monomer
//   base     up to three random numbers: the ancestor's base, the family's change, the position's own change
#pragma once

#include <cstdint>

#include "core/host_device.hpp"
#include "simulate/synthetic_plan.hpp"
#include "text/alphabet.hpp"

namespace warpseed::simulate::synthetic {

constexpr unsigned block_bits = 15;     // plain stretches are laid out in blocks, to bound the work before a position
constexpr std::uint32_t min_copy = 30;  // minimum bases of an element
constexpr std::uint32_t microsatellite_octaves = 5, min_microsatellite = 16;
constexpr std::uint32_t mean_microsatellite = min_microsatellite * 3 / 2 * 31 / microsatellite_octaves;
constexpr std::uint32_t microsatellite_rate = numbers / 20;

/// Hash of a counter: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
WS_HD constexpr std::uint64_t mix_bits(std::uint64_t value) {
  value += 0x9E3779B97F4A7C15ULL;
  value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9ULL;
  value = (value ^ value >> 27) * 0x94D049BB133111EBULL;
  return value ^ value >> 31;
}

/// The purpose of a key.
enum class Salt : std::uint64_t {
  blocks,
  noise,
  shifts,
  copied_noise,
  ages,
  families,
  ancestors,
  isochores,
  units,
  regions,
  arrays,
  satellite,
  duplications,
  short_n
};

/// Derives a key for item `number` of a kind.
WS_HD constexpr std::uint64_t child(std::uint64_t key, Salt salt, std::uint64_t number = 0) {
  return mix_bits(key ^ mix_bits(static_cast<std::uint64_t>(salt) << 48 ^ number));
}

/// Uniform in [0, limit), for limit <= 2^40, from the upper 24 bits.
WS_HD constexpr std::uint64_t below(std::uint64_t random, std::uint64_t limit) {
  return (random >> 40) * limit >> 24;
}

/// The same from 16 bits, for limit < 2^16.
WS_HD constexpr std::uint32_t uniform16(std::uint32_t tie_break, std::uint32_t limit) {
  return tie_break * limit >> 16;
}

/// Indexed 16-bit random numbers of one key, four per hash, so sequential access costs a quarter of a hash each.
class RandomStream {
 public:
  WS_HD explicit RandomStream(std::uint64_t key) : key_(key) {}

  WS_HD std::uint32_t operator[](std::uint64_t i) {
    if (i / 4 != at_) at_ = i / 4, word_ = mix_bits(key_ + at_);
    return static_cast<std::uint32_t>(word_ >> 16 * (i % 4)) & 0xFFFF;
  }

 private:
  std::uint64_t key_, at_ = ~std::uint64_t{0}, word_ = 0;
};

/// A random base that is C or G with probability gc / 2^15.
WS_HD constexpr std::uint8_t random_base(std::uint32_t tie_break, std::uint32_t gc) {
  const std::uint32_t second = tie_break & 1;
  return static_cast<std::uint8_t>(tie_break >> 1 < gc ? 1 + second : 3 * second);
}

/// Substitutes a base with probability rate / 2^16; half of the substitutions are transitions (A-G, C-T).
WS_HD constexpr std::uint8_t changed(std::uint8_t code, std::uint32_t tie_break, std::uint32_t rate) {
  if (tie_break >= rate) return code;
  const std::uint32_t change = (tie_break & 1) ? 2 : 1 + (tie_break & 2);
  return static_cast<std::uint8_t>(code ^ change);
}

// ---- stretches -----------------------------------------------------------------------------------------------------

struct Range {
  std::uint64_t begin = 0, end = 0;

  WS_HD bool has(std::uint64_t position) const { return begin <= position && position < end; }
  WS_HD bool meets(const Range& other) const { return begin < other.end && other.begin < end; }
};

/// The part of `whole` around `position` outside `taken`, which does not contain `position`.
WS_HD inline Range outside(Range whole, const Range& taken, std::uint64_t position) {
  if (taken.begin == taken.end) return whole;
  if (position < taken.begin) {
    if (taken.begin < whole.end) whole.end = taken.begin;
  } else if (taken.end > whole.begin) {
    whole.begin = taken.end;
  }
  return whole;
}

/// One of the equal parts of the genome, with its features of up to millions of bases.
struct Region {
  Range all, array, long_n;
  std::uint64_t number = 0;
};

WS_HD inline Region region_at(const SyntheticPlan& plan, std::uint64_t position) {
  Region region;
  region.number = position / plan.region_bases;
  region.all.begin = region.number * plan.region_bases;
  region.all.end = region.all.begin + plan.region_bases;
  if (region.all.end > plan.length) region.all.end = plan.length;
  const std::uint64_t bases = region.all.end - region.all.begin;
  const std::uint64_t random = child(plan.seed, Salt::regions, region.number);
  std::uint64_t array = bases * plan.array_ppm / 1'000'000;
  if (plan.arrays_vary) array = array / 2 + (array * (random & 0xFFFF) >> 16);
  const std::uint64_t long_n = bases * plan.long_n_ppm / 1'000'000;
  region.array.begin = region.all.begin + below(random, bases - array - long_n + 1);
  region.array.end = region.long_n.begin = region.array.begin + array;
  region.long_n.end = region.long_n.begin + long_n;
  return region;
}

/// The range in the slot of `position`; empty if there is none.
WS_HD inline Range range_in_slot(const Scatter& scatter, std::uint64_t position) {
  const std::uint64_t slot = position / scatter.slot_bases;
  const std::uint64_t random = mix_bits(scatter.key + slot);
  if (slot >= scatter.slots || (random & 0xFFFFFFFF) >= scatter.chance) return {};
  const std::uint64_t shortest = std::uint64_t{scatter.shortest}
                                 << uniform16(static_cast<std::uint32_t>(random >> 48), scatter.octaves);
  const std::uint64_t where = mix_bits(random);
  const std::uint64_t bases = shortest + below(where, shortest);
  const std::uint64_t begin = slot * scatter.slot_bases + below(where << 24, scatter.slot_bases - bases);
  return {begin, begin + bases};
}

WS_HD inline Range slot_at(const Scatter& scatter, std::uint64_t position) {
  const std::uint64_t begin = position / scatter.slot_bases * scatter.slot_bases;
  return {begin, begin + scatter.slot_bases};
}

enum class StretchKind : std::uint8_t { plain, array, duplication, unknown };

/// Bases of one origin. Those of a duplication come from `source`, reverse complemented if `reverse`.
struct Stretch {
  Range range;
  StretchKind kind = StretchKind::plain;
  bool reverse = false;
  std::uint32_t rate = 0;    // substitution rate of a duplication
  std::uint64_t source = 0;  // origin of the base at range.begin
  std::uint64_t key = 0;     // of an array
  std::uint64_t origin = 0;  // beginning of an array
};

/// True if a range, no longer than a slot of duplications, is entirely plain.
WS_HD inline bool is_plain(const SyntheticPlan& plan, const Range& range) {
  for (const std::uint64_t position : {range.begin, range.end - 1}) {
    const Region region = region_at(plan, position);
    if (range.meets(region.array) || range.meets(region.long_n)) return false;
    if (range.meets(range_in_slot(plan.short_n, position))) return false;
    if (range.meets(range_in_slot(plan.duplications, position))) return false;
  }
  return true;
}

/// The duplication that fills `whole`, restricted to `visible`, the part that nothing else covers.
WS_HD inline Stretch duplication(const SyntheticPlan& plan, const Range& whole, const Range& visible) {
  const std::uint64_t bases = whole.end - whole.begin;
  std::uint64_t random = child(plan.duplications.key, Salt::duplications, whole.begin);
  std::uint64_t source = 0;
  for (int attempt = 0; attempt < 4; ++attempt) {  // accepts the last attempt, whose arrays and N are copied as plain
    random = mix_bits(random);
    source = below(random, plan.length - bases);
    if (is_plain(plan, {source, source + bases})) break;
  }
  Stretch copy{visible, StretchKind::duplication};
  copy.reverse = random & 1;
  const std::uint64_t skew = (random >> 8 & 0xFF) * (random >> 16 & 0xFF);  // more recent ones than old ones
  copy.rate = plan.min_duplication_rate +
              static_cast<std::uint32_t>((plan.max_duplication_rate - plan.min_duplication_rate) * skew >> 16);
  const std::uint64_t skipped = visible.begin - whole.begin;
  copy.source = copy.reverse ? source + bases - 1 - skipped : source + skipped;
  return copy;
}

/// The stretch around `position`, or a part of it; always the same for the same position.
WS_HD inline Stretch stretch_at(const SyntheticPlan& plan, std::uint64_t position) {
  const Region region = region_at(plan, position);
  if (region.long_n.has(position)) return {region.long_n, StretchKind::unknown};
  if (region.array.has(position)) {
    Stretch array{region.array, StretchKind::array};
    array.key = child(plan.seed, Salt::arrays, region.number);
    array.source = array.origin = region.array.begin;
    return array;
  }
  Range range = outside(outside(region.all, region.array, position), region.long_n, position);
  for (const Scatter* scatter : {&plan.short_n, &plan.duplications}) {
    const Range slot = slot_at(*scatter, position), within = range_in_slot(*scatter, position);
    if (slot.begin > range.begin) range.begin = slot.begin;
    if (slot.end < range.end) range.end = slot.end;
    if (!within.has(position)) {
      range = outside(range, within, position);
      continue;
    }
    if (within.begin > range.begin) range.begin = within.begin;
    if (within.end < range.end) range.end = within.end;
    if (scatter == &plan.short_n) return {range, StretchKind::unknown};
    return duplication(plan, within, range);
  }
  Stretch plain{range, StretchKind::plain};
  plain.source = range.begin;
  return plain;
}

}  // namespace warpseed::simulate::synthetic
