// What src/text may call in the CUDA path: packing bases on a device.
// Defined by cuda/text/*.cu with CUDA, else by cuda/text/no_cuda.cpp, so that no caller needs an #ifdef.
#pragma once

#include <cstdint>
#include <span>

#include "core/backend.hpp"
#include "text/genome.hpp"

namespace warpseed::text::cuda {

/// What GenomeBuilder makes of contigs laid end to end, beginning at contig_begins[i] ([contigs + 1]); without names.
/// Throws InputError that names the first letter outside IUPAC by its position.
Genome pack_bases(std::span<const char> bases, std::span<const std::uint64_t> contig_begins, const Backend& backend);

}  // namespace warpseed::text::cuda
