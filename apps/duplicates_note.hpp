// What marking duplicates found, for a note.
#pragma once

#include <string>

#include "records/duplicate_counts.hpp"

namespace warpseed::cli {

std::string duplicates_note(const records::DuplicateCounts& counts);

}  // namespace warpseed::cli
