// The parameters of a synthetic genome as integers, from which every base is derived.
#pragma once

#include <cstdint>

#include "simulate/synthetic.hpp"

namespace warpseed::simulate::synthetic {

// Random numbers have 16 bits; a rate is the number of them, of 65,536, for which an event happens.
constexpr std::uint32_t numbers = 1 << 16;
constexpr std::uint32_t chances = 1 << 24;  // sum of the shares of repeat classes among elements

/// Interspersed elements of one kind.
struct RepeatClass {
  std::uint32_t chance_end = 0;  // of `chances` elements, those of this and the previous classes
  std::uint32_t families = 1;
  std::uint32_t ancestors = 1;              // family f descends from ancestor f % ancestors
  std::uint32_t shortest = 0, longest = 0;  // bases of a family's consensus
  std::uint32_t whole = 0;                  // whole copies among 16
  std::uint32_t family_rate = 0;            // substitutions of a family's consensus against its ancestor's
  std::uint32_t gc = 0;                     // of the ancestors, units of 2^-15
};

/// At most one range per slot of the genome; its length is uniform over octaves.
struct Scatter {
  std::uint64_t key = 0;
  std::uint64_t slot_bases = 1;
  std::uint64_t slots = 0;   // the slots that end within the genome
  std::uint64_t chance = 0;  // slots with a range, of 2^32
  std::uint32_t shortest = 0;
  std::uint32_t octaves = 1;  // lengths are in [shortest, shortest << octaves), within the slot
};

constexpr std::uint32_t repeat_classes = 4;  // the microsatellites come after them

/// Passed to kernels by value.
struct SyntheticPlan {
  std::uint64_t seed = 0, length = 0;
  std::uint32_t gc = 0, isochores = 0;  // units of 2^-15

  RepeatClass classes[repeat_classes];
  std::uint64_t mean_spacer = 0;  // random bases between two elements
  std::uint32_t min_repeat_rate = 0, max_repeat_rate = 0;

  std::uint64_t region_bases = 1;               // each region has an array, then a run of N
  std::uint32_t array_ppm = 0, long_n_ppm = 0;  // millionths of a region
  bool arrays_vary = false;
  std::uint32_t monomer = 1, monomers = 1, monomer_rate = 0, satellite_rate = 0;
  std::uint32_t monomer_gc = 0;  // of the ancestral one, units of 2^-15

  Scatter duplications, short_n;
  std::uint32_t min_duplication_rate = 0, max_duplication_rate = 0;
};

/// Throws InputError that names the parameter and its range.
SyntheticPlan make_plan(const SyntheticGenome& genome);

}  // namespace warpseed::simulate::synthetic
