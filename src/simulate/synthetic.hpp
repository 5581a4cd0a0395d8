// A made-up genome with the traits that make real ones hard to sort and to align to.
#pragma once

#include <cstdint>
#include <span>

#include "core/backend.hpp"
#include "text/genome.hpp"

namespace warpseed::simulate {

/// What a genome is made of; the defaults resemble a human one. Shares are parts of the whole genome, 0 turns a trait
/// off, and what they leave is random; together they are at most 0.97. Divergences are the parts of a copy's letters
/// that differ from what was copied.
struct SyntheticGenome {
  std::uint64_t seed = 1;    // another seed, another genome
  std::uint64_t length = 0;  // letters, at most 2^40

  double gc = 0.41;         // G and C among the bases, [0, 1]
  double isochores = 0.06;  // random letters' G and C wander so far around `gc`, over some 100,000 letters, [0, 0.5]

  // Interspersed elements: copies of families on either strand, with gaps; cut ones keep their 3' end.
  double short_repeats = 0.10;          // like Alu: 300 letters, mostly whole, 32 families of one ancestor
  double long_repeats = 0.17;           // like LINE-1: 6,000 letters, mostly cut, 96 families
  double other_repeats = 0.11;          // like LTR and DNA elements: 200 to 7,000 letters, 600 families
  double repeat_least_diverged = 0.02;  // of a copy from its family, [0, 0.5]; most are in between
  double repeat_most_diverged = 0.20;

  double microsatellites = 0.03;  // runs of 16 to 511 letters with a unit of 1 to 6, 5 % diverged

  // Tandem arrays, one in each of `arrays` equal parts of the genome; each has a higher-order unit of its own:
  // `monomers` monomers, all descended from one. So long as there are many, an array is half to 3/2 of the mean.
  double satellites = 0.03;
  std::uint64_t arrays = 0;           // 0: one for each 100 million letters begun, at most 65,536
  std::uint32_t monomer = 171;        // letters, [1, 65536]
  std::uint32_t monomers = 12;        // in a unit, [1, 65536]
  double monomer_diverged = 0.25;     // of a monomer from the ancestral one
  double satellite_diverged = 0.015;  // of each repetition from the array's unit

  // Segmental duplications: copies of other places, of either strand, 1,000 to 256,000 letters, less in small genomes.
  double duplications = 0.04;  // at most 0.08
  double duplication_least_diverged = 0.005;
  double duplication_most_diverged = 0.10;

  // Runs of N: an eighth or less in runs of 100 to 51,200 letters, the rest in one run behind each array's place.
  double unknown = 0.05;
};

/// Writes letters [begin, begin + letters.size()) of a genome: A, C, G, T, N.
/// They depend on the genome's parameters (`length` too) and their place alone, not on the cut into calls nor on the
/// backend or its threads. Copies are one level deep: a duplication copies what stands at its source without
/// duplications, so any range can be made without the letters before it.
///
/// Cost: one core of a CPU makes tens of millions of letters a second.
/// Throws InputError for parameters out of range, std::invalid_argument past the genome's end, BackendError.
void synthetic_bases(const SyntheticGenome& genome, std::uint64_t begin, std::span<char> bases, const Backend& backend);

/// The whole genome, packed, as reading it from FASTA would give it: cut into `contigs` of equal length (the last takes
/// the remainder), called synthetic1, synthetic2, ...
/// Memory on a device: 2 bytes a letter. Throws as above, InputError too if a contig would be empty.
text::Genome synthetic_genome(const SyntheticGenome& genome, std::uint64_t contigs, const Backend& backend);

}  // namespace warpseed::simulate
