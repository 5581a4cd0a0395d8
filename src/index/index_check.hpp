// What an index file must satisfy before anything reads it.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "index/index_format.hpp"

namespace warpseed::index {

/// Checks that the bytes are an index file, whole and undamaged, whose sections have the sizes that the
/// metadata ask for and whose coordinates are in order; returns where the sections are. Throws InputError that
/// says what is wrong, naming the section. Cost: reads every byte once, on all threads.
format::Front check_index(const std::string& path, std::span<const std::byte> file);

}  // namespace warpseed::index
