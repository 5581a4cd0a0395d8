#include "duplicates_note.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace warpseed::cli {

std::string duplicates_note(const records::DuplicateCounts& counts) {
  const auto all = static_cast<double>(std::max<std::uint64_t>(counts.compared(), 1));
  return fmt::format("{} of {} reads marked as duplicates ({:.2f}%), {} of pairs and {} single", counts.marked(),
                     counts.compared(), 100 * static_cast<double>(counts.marked()) / all, counts.of_pairs_marked,
                     counts.single_marked);
}

}  // namespace warpseed::cli
