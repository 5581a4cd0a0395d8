// ALT contigs: alternative versions of parts of the primary assembly, listed in a file next to the index.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "index/index_file.hpp"

namespace warpseed::align {

struct AltContigs {
  std::vector<std::uint8_t> flags;  // [contigs] 1: ALT; empty: no list was read
  std::uint64_t count = 0;          // ALT contigs
  std::uint64_t unknown = 0;        // names in the list that match no contig
};

/// The number of each contig by its name. The index must outlive it.
std::unordered_map<std::string_view, std::uint64_t> contig_numbers(const index::Index& index);

/// The default path of an index's list: "REF.fa.alt" for "REF.fa.wsi".
std::string default_alt_list_path(const std::string& index_path);

/// Reads a list in bwa-kit's format: one contig per line, its name up to the first tab. Further SAM columns, lines that
/// begin with @, empty lines and repeated names are ignored. Plain or gzip. Throws InputError (with file and line) for
/// an invalid list, InputError or IoError if it cannot be read.
AltContigs read_alt_contigs(const std::string& path, const index::Index& index);

}  // namespace warpseed::align
