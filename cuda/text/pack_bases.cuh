// Packs letters in device memory to text: the device version of GenomeBuilder.
#pragma once

#include <cstdint>
#include <span>

#include "core/backend.hpp"
#include "core/buffer.cuh"
#include "text/genome.hpp"

namespace warpseed::text::cuda {

/// A packed text with its separators and segments (see text/genome_core.hpp).
struct PackedBases {
  std::uint64_t text_size = 0;       // symbols, separators included
  Buffer<std::uint64_t> words;       // [text_size / 32 + 2], as in PackedView; padded with zeros
  Buffer<std::uint32_t> separators;  // [text_size / 32 + 2] bit i%32 of word i/32: symbol i is a separator
  Buffer<Segment> segments;          // [segments + 1] the last is {text_size, number of letters}
};

/// Packs concatenated contigs: letters ACGTU in either case are bases; other IUPAC letters are N and cut segments, as
/// in GenomeBuilder::add(). The result equals GenomeBuilder's, bit for bit.
///
/// bases: on the device, written earlier on `stream`. contig_begins: [contigs + 1] on the host, ascending, from 0 to
/// bases.size. Waits for the stream.
/// Cost: two reads of the letters. Memory besides the result: a quarter of a byte per letter, 24 bytes per segment.
/// Throws InputError with the position of the first letter outside IUPAC, std::invalid_argument for bad contig_begins.
PackedBases pack_bases(View<char> bases, std::span<const std::uint64_t> contig_begins, const Stream& stream);

/// The same on the host, without names.
Genome to_host(const PackedBases& packed, std::span<const std::uint64_t> contig_begins, const Backend& backend);

}  // namespace warpseed::text::cuda
