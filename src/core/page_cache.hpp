// What of a file is in memory.
#pragma once

#include <cstdint>
#include <string>

namespace warpseed {

/// Bytes of a file, in whole pages, that are in the system's page cache: all of it where the system does not say, as of files
/// that the caller cannot write. Throws IoError.
std::uint64_t bytes_in_page_cache(const std::string& path);

}  // namespace warpseed
