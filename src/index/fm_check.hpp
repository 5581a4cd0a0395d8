// Proves that an FM-index from a file keeps every search within its arrays, whoever wrote the file.
#pragma once

#include <cstdint>

#include "index/fm_core.hpp"

namespace warpseed::index {

/// Do blocks [begin, end) count the bases before them? begin is the first block of a superblock; end is one as well, or the
/// number of blocks. Then every step of a search leads to a row, or to the end of the rows. Cost: reads the blocks once.
bool ranks_are_right(const FmView& fm, std::uint64_t begin, std::uint64_t end);

}  // namespace warpseed::index
