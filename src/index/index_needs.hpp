// What building an index takes.
#pragma once

#include <cstdint>

#include "core/backend.hpp"
#include "index/fm_index.hpp"
#include "text/genome_core.hpp"

namespace warpseed::index {

/// What building an index and storing it takes, about.
struct IndexNeeds {
  std::uint64_t host_bytes = 0;  // of memory, besides the genome's; a device's is bounded by SortOptions::device_bytes
  std::uint64_t file_bytes = 0;
};

/// Throws IoError if the memory allowed does not suffice for sorting on the CPU.
IndexNeeds index_needs(const text::GenomeView& genome, const Backend& backend, const BuildOptions& options);

/// The memory that sort_in_parts() may take: all that is allowed but what the index takes. Throws as above.
std::uint64_t bytes_for_sorting(const text::GenomeView& genome, const Backend& backend, const BuildOptions& options);

}  // namespace warpseed::index
