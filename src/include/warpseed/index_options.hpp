// Options of an index.
#pragma once

#include <cstdint>

namespace warpseed {

struct IndexOptions {
  std::uint32_t sample_step = 4;  // every Nth row keeps its text position: a power of two, 1 to 256
};

}  // namespace warpseed
