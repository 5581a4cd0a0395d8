// A synthetic genome's parameters as whole numbers: what every decision about its letters is made from.
#pragma once

#include <cstdint>

#include "simulate/synthetic.hpp"

namespace warpseed::simulate::synthetic {

// A lot is 16 random bits; a rate is the number of lots, of 65,536, in which something happens.
constexpr std::uint32_t numbers = 1 << 16;
constexpr std::uint32_t chances = 1 << 24;  // what the shares of repeat classes among elements add up to

/// Interspersed elements of one kind.
struct RepeatClass {
  std::uint32_t chance_end = 0;  // of `chances` elements, those of this class and of the classes before it
  std::uint32_t families = 1;
  std::uint32_t ancestors = 1;              // family f descends from ancestor f % ancestors
  std::uint32_t shortest = 0, longest = 0;  // letters of a family's consensus
  std::uint32_t whole = 0;                  // of 16 copies, so many are whole
  std::uint32_t family_rate = 0;            // of a family's consensus against its ancestor's
  std::uint32_t gc = 0;                     // of the ancestors, of 2^15
};

/// At most one range in each slot of the genome, its length evenly distributed over octaves.
struct Scatter {
  std::uint64_t key = 0;
  std::uint64_t slot_bases = 1;
  std::uint64_t slots = 0;   // those that end within the genome
  std::uint64_t chance = 0;  // of 2^32 slots, those that hold a range
  std::uint32_t shortest = 0;
  std::uint32_t octaves = 1;  // lengths are in [shortest, shortest << octaves), none beyond its slot
};

constexpr std::uint32_t repeat_classes = 4;  // the microsatellites come after them

/// Goes to kernels by value.
struct SyntheticPlan {
  std::uint64_t seed = 0, length = 0;
  std::uint32_t gc = 0, isochores = 0;  // of 2^15

  RepeatClass classes[repeat_classes];
  std::uint64_t mean_spacer = 0;  // random letters between two elements
  std::uint32_t least_repeat_rate = 0, most_repeat_rate = 0;

  std::uint64_t region_bases = 1;               // each region has an array and a run of N behind it
  std::uint32_t array_ppm = 0, long_n_ppm = 0;  // of a region, in millionths
  bool arrays_vary = false;
  std::uint32_t monomer = 1, monomers = 1, monomer_rate = 0, satellite_rate = 0;
  std::uint32_t monomer_gc = 0;  // of the ancestral one, of 2^15

  Scatter duplications, short_n;
  std::uint32_t least_duplication_rate = 0, most_duplication_rate = 0;
};

/// Throws InputError that names the parameter and its range.
SyntheticPlan make_plan(const SyntheticGenome& genome);

}  // namespace warpseed::simulate::synthetic
