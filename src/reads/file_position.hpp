// Where to go on in a file of reads.
#pragma once

#include <cstdint>
#include <vector>

#include "core/byte_source.hpp"

namespace warpseed::reads {

/// The beginning of a read.
struct FilePosition {
  BytePosition bytes;
  std::uint64_t lines = 0;         // before it; of BAM, records
  std::uint64_t header_bytes = 0;  // of BAM: decompressed bytes before the first record, which are read in any case

  friend bool operator==(const FilePosition&, const FilePosition&) = default;
};

/// The same for several lanes, of which those before `lane` have been read.
struct SourcePosition {
  std::uint64_t lane = 0;
  std::vector<FilePosition> files;  // of that lane: one, or two of mates
};

}  // namespace warpseed::reads
