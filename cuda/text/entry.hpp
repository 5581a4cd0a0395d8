// The CUDA functions that src/text calls: packing bases on a device.
// Defined by cuda/text/*.cu with CUDA, else by cuda/text/no_cuda.cpp, so that no caller needs an #ifdef.
#pragma once

#include <cstdint>
#include <span>

#include "core/backend.hpp"
#include "text/genome.hpp"

namespace warpseed::text::cuda {

/// Packs concatenated contigs that begin at contig_begins[i] ([contigs + 1]) like GenomeBuilder, without names.
/// Throws InputError that reports the position of the first letter outside IUPAC.
Genome pack_bases(std::span<const char> bases, std::span<const std::uint64_t> contig_begins, const Backend& backend);

}  // namespace warpseed::text::cuda
