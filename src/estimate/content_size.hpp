// How much a file holds once it is decompressed, without reading all of it.
#pragma once

#include <cstdint>
#include <string>

namespace warpseed::estimate {

struct ContentSize {
  std::uint64_t stored_bytes = 0;  // on the disk
  std::uint64_t bytes = 0;         // decompressed
  bool estimated = false;          // from a part of the file, because it is compressed
};

/// Reads at most some 8 MiB of a compressed file, and takes the rest to be like them. Throws InputError for a pipe or
/// standard input, whose size nobody knows, InputError and IoError as open_bytes() does.
ContentSize content_size(const std::string& path);

}  // namespace warpseed::estimate
