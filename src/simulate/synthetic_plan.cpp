#include "simulate/synthetic_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "simulate/synthetic_core.hpp"
#include "warpseed/error.hpp"

namespace warpseed::simulate::synthetic {

namespace {

constexpr std::uint64_t million = 1'000'000;

struct Limits {
  const char* name;
  double value, least, most;
};

void require_within(const Limits& limits) {
  if (limits.value >= limits.least && limits.value <= limits.most) return;  // false for NaN
  throw InputError(fmt::format("synthetic genome: {} is {}; it must be from {} to {}", limits.name, limits.value,
                               limits.least, limits.most));
}

double share_sum(const SyntheticGenome& genome) {
  return genome.short_repeats + genome.long_repeats + genome.other_repeats + genome.microsatellites +
         genome.satellites + genome.duplications + genome.unknown;
}

void require_valid(const SyntheticGenome& genome) {
  constexpr double most_share = 0.97, most_diverged = 0.5;
  const auto number = [](std::uint64_t value) { return static_cast<double>(value); };
  const Limits all[] = {
      {"length", number(genome.length), 0, number(std::uint64_t{1} << 40)},
      {"gc", genome.gc, 0, 1},
      {"isochores", genome.isochores, 0, 0.5},
      {"short_repeats", genome.short_repeats, 0, most_share},
      {"long_repeats", genome.long_repeats, 0, most_share},
      {"other_repeats", genome.other_repeats, 0, most_share},
      {"repeat_least_diverged", genome.repeat_min_divergence, 0, most_diverged},
      {"repeat_most_diverged", genome.repeat_max_divergence, genome.repeat_min_divergence, most_diverged},
      {"microsatellites", genome.microsatellites, 0, most_share},
      {"satellites", genome.satellites, 0, most_share},
      {"arrays", number(genome.arrays), 0, 65536},
      {"monomer", number(genome.monomer), 1, 65536},
      {"monomers", number(genome.monomers), 1, 65536},
      {"monomer_diverged", genome.monomer_divergence, 0, most_diverged},
      {"satellite_diverged", genome.satellite_divergence, 0, most_diverged},
      {"duplications", genome.duplications, 0, 0.08},
      {"duplication_least_diverged", genome.duplication_min_divergence, 0, most_diverged},
      {"duplication_most_diverged", genome.duplication_max_divergence, genome.duplication_min_divergence,
       most_diverged},
      {"unknown", genome.unknown, 0, most_share},
      {"the sum of all shares", share_sum(genome), 0, most_share},
  };
  for (const Limits& limits : all) require_within(limits);
}

/// `value` of `whole`, rounded. Uses only sums and products of doubles, which are the same on every machine.
std::uint32_t part(double value, std::uint32_t whole) {
  return static_cast<std::uint32_t>(value * whole + 0.5);
}

/// GC of an ancestor whose copies with a `rate` of substitutions have `gc`. Three of four substitutions exchange C or G
/// with A or T, which moves GC towards one half.
std::uint32_t ancestral_gc(std::uint32_t gc, std::uint32_t rate) {
  constexpr std::uint32_t all = 1 << 15;
  const std::uint32_t swapped = rate * 3 / 8;  // units of 2^-15
  if (gc <= swapped) return 0;
  return std::min(all, (gc - swapped) * all / (all - 2 * swapped));
}

/// The mean length of copies of an element of this class.
std::uint64_t mean_copy(const RepeatClass& repeat) {
  const std::uint64_t consensus = (repeat.shortest + repeat.longest) / 2;
  const std::uint64_t cut = min_copy + (consensus - min_copy) / 4;  // mean product of uniform numbers: 1/4
  return (repeat.whole * consensus + (16 - repeat.whole) * cut) / 16;
}

/// Sets the frequency of elements of each class, proportional to their share and inverse to their length; the rest is
/// random bases.
void plan_elements(const SyntheticGenome& genome, SyntheticPlan& plan) {
  const RepeatClass classes[repeat_classes] = {
      {0, 32, 1, 300, 300, 12, part(0.06, numbers)},     // short
      {0, 96, 3, 6000, 6000, 1, part(0.12, numbers)},    // long
      {0, 300, 100, 400, 7000, 6, part(0.10, numbers)},  // other: LTR
      {0, 300, 150, 200, 2500, 4, part(0.10, numbers)},  // other: DNA elements
  };
  const double shares[] = {genome.short_repeats, genome.long_repeats, genome.other_repeats * 2 / 3,
                           genome.other_repeats / 3, genome.microsatellites};
  // Duplications copy elements in the same shares as elsewhere; arrays and runs of N have none.
  const double plain = 1 - genome.satellites - genome.unknown;
  std::uint64_t counts[repeat_classes + 1] = {}, count = 0, left = million;
  for (std::uint32_t i = 0; i <= repeat_classes; ++i) {
    const std::uint64_t bases = std::min<std::uint64_t>(part(shares[i] / plain, million), left);
    counts[i] = (bases << 20) / (i < repeat_classes ? mean_copy(classes[i]) : mean_microsatellite);
    count += counts[i];
    left -= bases;
  }
  constexpr std::uint64_t never = std::uint64_t{1} << 40;
  plan.mean_spacer = count == 0 ? never : (left << 20) / count;
  plan.min_repeat_rate = part(genome.repeat_min_divergence, numbers);
  plan.max_repeat_rate = part(genome.repeat_max_divergence, numbers);
  std::uint64_t before = 0;
  for (std::uint32_t i = 0; i < repeat_classes; ++i) {
    before += counts[i];
    plan.classes[i] = classes[i];
    const std::uint32_t copies_gc = ancestral_gc(plan.gc, (plan.min_repeat_rate + plan.max_repeat_rate) / 2);
    plan.classes[i].gc = ancestral_gc(copies_gc, classes[i].family_rate);
    plan.classes[i].chance_end = count == 0 ? 0 : static_cast<std::uint32_t>(before * chances / count);
  }
}

/// Ranges that cover `ppm` millionths of the genome, in slots that are smaller in small genomes.
Scatter scattered(std::uint64_t key, std::uint64_t length, std::uint64_t slot_bases, std::uint32_t shortest,
                  std::uint32_t max_octaves, std::uint64_t ppm) {
  Scatter scatter;
  scatter.key = key;
  scatter.slot_bases = std::min(slot_bases, std::max<std::uint64_t>(length / 16, 1));
  scatter.shortest = shortest;
  std::uint32_t octaves = 0;
  while (octaves < max_octaves && std::uint64_t{shortest} << (octaves + 1) <= scatter.slot_bases / 2) ++octaves;
  if (octaves == 0) return scatter;  // the genome is too short for any
  const std::uint64_t longest = std::uint64_t{shortest} << octaves, mean = (longest - shortest) * 3 / 2 / octaves;
  const std::uint64_t nine_tenths = mean * (million * 9 / 10) / std::max<std::uint64_t>(ppm, 1);  // of slots are full
  scatter.slot_bases = std::min(scatter.slot_bases, std::max(longest, nine_tenths));
  scatter.octaves = octaves;
  scatter.slots = length / scatter.slot_bases;
  constexpr std::uint64_t always = std::uint64_t{1} << 32;
  scatter.chance = std::min(always, ppm * scatter.slot_bases * (always / million) / mean);
  return scatter;
}

void plan_regions(const SyntheticGenome& genome, SyntheticPlan& plan) {
  constexpr std::uint64_t bases_per_array = 100 * million;
  const std::uint64_t begun = std::max<std::uint64_t>(1, (genome.length + bases_per_array - 1) / bases_per_array);
  const std::uint64_t regions = genome.arrays == 0 ? std::min<std::uint64_t>(begun, 65536) : genome.arrays;
  plan.region_bases = std::max<std::uint64_t>(1, (genome.length + regions - 1) / regions);
  plan.array_ppm = part(genome.satellites, million);
  plan.monomer = genome.monomer;
  plan.monomers = genome.monomers;
  plan.monomer_rate = part(genome.monomer_divergence, numbers);
  plan.satellite_rate = part(genome.satellite_divergence, numbers);
  plan.monomer_gc = ancestral_gc(ancestral_gc(plan.gc, plan.satellite_rate), plan.monomer_rate);
}

}  // namespace

SyntheticPlan make_plan(const SyntheticGenome& genome) {
  require_valid(genome);
  SyntheticPlan plan;
  plan.seed = mix_bits(genome.seed);
  plan.length = genome.length;
  plan.gc = part(genome.gc, 1 << 15);
  plan.isochores = part(genome.isochores, 1 << 15);
  plan_elements(genome, plan);
  plan_regions(genome, plan);

  plan.duplications = scattered(child(plan.seed, Salt::duplications), genome.length, 1 << 19, 1000, 8,
                                part(genome.duplications, million));
  plan.min_duplication_rate = part(genome.duplication_min_divergence, numbers);
  plan.max_duplication_rate = part(genome.duplication_max_divergence, numbers);

  const std::uint32_t unknown_ppm = part(genome.unknown, million);
  const std::uint32_t short_ppm = std::min<std::uint32_t>(unknown_ppm / 8, 8000);  // more do not fit in the slots
  plan.short_n = scattered(child(plan.seed, Salt::short_n), genome.length, 1 << 20, 100, 9, short_ppm);
  plan.long_n_ppm = unknown_ppm - (plan.short_n.slots > 0 ? short_ppm : 0);
  plan.arrays_vary = plan.region_bases < genome.length && plan.array_ppm * 3 / 2 + plan.long_n_ppm < million;
  return plan;
}

}  // namespace warpseed::simulate::synthetic
