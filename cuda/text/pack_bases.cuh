// Letters in device memory into packed text: what GenomeBuilder does on the host, for texts that are on the device.
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
  Buffer<std::uint64_t> words;       // [text_size / 32 + 2], as PackedView has them; zeros follow the end
  Buffer<std::uint32_t> separators;  // [text_size / 32 + 2] bit i%32 of word i/32: a separator stands at i
  Buffer<Segment> segments;          // [segments + 1] the last is {text_size, number of letters}
};

/// Packs contigs that stand end to end: letters ACGTU in either case are bases, other IUPAC letters are N and cut
/// segments as GenomeBuilder::add() does. The result is GenomeBuilder's, bit for bit.
///
/// letters: on the device, written by `stream` before. contig_begins: [contigs + 1] on the host, rising, from 0 to
/// letters.size. Waits for the stream.
/// Cost: two reads of the letters. Memory besides the result: a quarter of a byte a letter, 24 bytes a segment.
/// Throws InputError that names the first letter outside IUPAC by its place, std::invalid_argument for contig_begins.
PackedBases pack_bases(View<char> bases, std::span<const std::uint64_t> contig_begins, const Stream& stream);

/// The same on the host, without names.
Genome to_host(const PackedBases& packed, std::span<const std::uint64_t> contig_begins, const Backend& backend);

}  // namespace warpseed::text::cuda
