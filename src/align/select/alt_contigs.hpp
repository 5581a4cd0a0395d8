// Which contigs are ALT: other versions of stretches of the primary assembly, named in a list beside the index.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "index/index_file.hpp"

namespace warpseed::align {

struct AltContigs {
  std::vector<std::uint8_t> flags;  // [contigs] 1: ALT; empty: no list was read
  std::uint64_t count = 0;          // ALT contigs
  std::uint64_t unknown = 0;        // names in the list that no contig has
};

/// Where the list of an index is looked for: "REF.fa.alt" for "REF.fa.wsi".
std::string alt_list_beside(const std::string& index_path);

/// Reads a list as bwa-kit has it: a line a contig, its name up to the first tab; what follows (SAM columns) does not
/// matter, lines that begin with @ and empty ones are skipped, names may stand more than once. Plain or gzip.
/// Throws InputError (with file and line) for what is no such list, InputError or IoError if it cannot be read.
AltContigs read_alt_contigs(const std::string& path, const index::Index& index);

}  // namespace warpseed::align
