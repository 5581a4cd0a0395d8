// Validates an index file before it is used.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "index/index_format.hpp"

namespace warpseed::index {

/// Checks the beginning of a file of this size: that it is an index, of this version, and whole. Returns the section
/// table. Throws InputError that describes the error. Cost: reads the first 384 bytes.
format::Front check_front(const std::string& path, std::span<const std::byte> file);

/// Checks that the bytes are a complete and undamaged index file, that its sections have the sizes that the metadata
/// require, that its coordinates are in order, and that its ranks are right. Then no search leaves the file, whoever wrote
/// it. Returns the section table. Throws InputError that describes the error and names the section. Cost: reads every byte
/// once, on all threads.
format::Front check_index(const std::string& path, std::span<const std::byte> file);

}  // namespace warpseed::index
