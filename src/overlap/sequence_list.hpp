// The sequences to which regions (warpseed/overlap.hpp) refer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "warpseed/overlap.hpp"

namespace warpseed::overlap {

/// One record of a file.
struct SequenceInfo {
  std::string name;
  std::uint64_t length = 0;  // characters, N included
  std::uint32_t file = 0;    // index into SequenceList::files
};

/// The sequences of one side, targets or queries, in file order.
struct SequenceList {
  std::vector<std::string> files;
  std::vector<SequenceInfo> sequences;
};

}  // namespace warpseed::overlap
