// A synthetic genome with the traits that make real ones hard to sort and to align to.
#pragma once

#include <cstdint>
#include <span>

#include "core/backend.hpp"
#include "text/genome.hpp"

namespace warpseed::simulate {

/// The composition of a genome; the defaults resemble a human one. Shares are fractions of the whole genome; 0 disables
/// a trait. Together they are at most 0.97, and the rest is random. Divergences are the fraction of a copy's bases that
/// differ from the original.
struct SyntheticGenome {
  std::uint64_t seed = 1;    // each seed gives another genome
  std::uint64_t length = 0;  // bases, at most 2^40

  double gc = 0.41;         // GC content, [0, 1]
  double isochores = 0.06;  // GC of random bases varies by this around `gc`, over some 100,000 bases, [0, 0.5]

  // Interspersed elements: copies of families on either strand, with gaps; truncated ones keep their 3' end.
  double short_repeats = 0.10;          // like Alu: 300 bases, mostly whole, 32 families of one ancestor
  double long_repeats = 0.17;           // like LINE-1: 6,000 bases, mostly truncated, 96 families
  double other_repeats = 0.11;          // like LTR and DNA elements: 200 to 7,000 bases, 600 families
  double repeat_min_divergence = 0.02;  // of a copy from its family, [0, 0.5]; most are between the two
  double repeat_max_divergence = 0.20;

  double microsatellites = 0.03;  // runs of 16 to 511 bases with a unit of 1 to 6, 5 % diverged

  // Tandem arrays, one in each of `arrays` equal parts of the genome. Each has a higher-order unit of its own:
  // `monomers` monomers, all descended from one. If there are many arrays, their lengths are half to 3/2 of the mean.
  double satellites = 0.03;
  std::uint64_t arrays = 0;             // 0: one per 100 million bases, rounded up, at most 65,536
  std::uint32_t monomer = 171;          // bases, [1, 65536]
  std::uint32_t monomers = 12;          // per unit, [1, 65536]
  double monomer_divergence = 0.25;     // of a monomer from the ancestral one
  double satellite_divergence = 0.015;  // of each repetition from the array's unit

  // Segmental duplications: copies of other positions, on either strand, 1,000 to 256,000 bases, less in small genomes.
  double duplications = 0.04;  // at most 0.08
  double duplication_min_divergence = 0.005;
  double duplication_max_divergence = 0.10;

  // Runs of N: up to an eighth in runs of 100 to 51,200 bases, the rest in one run after each array.
  double unknown = 0.05;
};

/// Writes bases [begin, begin + bases.size()) of a genome: A, C, G, T, N.
/// They depend only on the genome's parameters (including `length`) and their position, not on the split into calls,
/// the backend or its threads. Copies are one level deep: a duplication copies its source as if without duplications,
/// so any range can be generated without the preceding bases.
///
/// Cost: one CPU core generates tens of millions of bases per second.
/// Throws InputError for parameters out of range, std::invalid_argument past the end of the genome, BackendError.
void synthetic_bases(const SyntheticGenome& genome, std::uint64_t begin, std::span<char> bases, const Backend& backend);

/// The whole genome, packed, as if read from FASTA: split into `contigs` of equal length (the last one takes the
/// remainder), named synthetic1, synthetic2, ...
/// Device memory: 2 bytes per base. Throws as above, and InputError if a contig would be empty.
text::Genome synthetic_genome(const SyntheticGenome& genome, std::uint64_t contigs, const Backend& backend);

}  // namespace warpseed::simulate
