// Generates synthetic genomes on the device, as bases or packed.
#pragma once

#include <cstdint>
#include <span>

#include "core/buffer.cuh"
#include "simulate/synthetic.hpp"
#include "text/pack_bases.cuh"

namespace warpseed::simulate::cuda {

/// Enqueues writing bases [begin, begin + count) of a genome to `device_bases`: the same bytes as synthetic_bases() of
/// simulate/synthetic.hpp. Throws InputError for parameters out of range.
void synthetic_bases(const SyntheticGenome& genome, std::uint64_t begin, char* device_bases, std::uint64_t count,
                     const Stream& stream);

/// The whole genome, packed, in contigs that begin at `contig_begins` ([contigs + 1], the last is the genome's length).
/// Memory while running: a byte per base, and what pack_bases() needs. Waits for the stream.
text::cuda::PackedBases synthetic_text(const SyntheticGenome& genome, std::span<const std::uint64_t> contig_begins,
                                       const Stream& stream);

}  // namespace warpseed::simulate::cuda
