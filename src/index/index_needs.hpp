// What building an index takes.
#pragma once

#include <cstdint>
#include <string>

#include "core/backend.hpp"
#include "index/fm_index.hpp"
#include "text/genome_core.hpp"

namespace warpseed::index {

/// What building an index and storing it takes, about.
struct IndexNeeds {
  std::uint64_t host_bytes = 0;  // of memory, besides the genome's; a device's is bounded by SortOptions::device_bytes
  std::uint64_t file_bytes = 0;
};

/// The size of a genome's text.
struct TextSize {
  std::uint64_t symbols = 0, segments = 0;
};

/// Throws IoError if the memory allowed does not suffice for sorting on the CPU.
IndexNeeds index_needs(const text::GenomeView& genome, const Backend& backend, const BuildOptions& options);

/// The same for a text that is not read yet, on a machine with so much free memory.
IndexNeeds index_needs(const TextSize& text, const Backend& backend, const BuildOptions& options,
                       std::uint64_t available_bytes);

/// What an index file holds, by its front.
struct IndexFileSize {
  std::uint64_t bytes = 0;    // of the file
  std::uint64_t symbols = 0;  // of its text, at most 31 too many
};

/// Throws InputError and IoError as Index does, for what the front of the file shows. Reads some pages of it only.
IndexFileSize index_file_size(const std::string& path);

/// The memory that sort_in_parts() may take: all that is allowed but what the index takes. Throws as above.
std::uint64_t bytes_for_sorting(const text::GenomeView& genome, const Backend& backend, const BuildOptions& options);

}  // namespace warpseed::index
