// Header lines that a user adds: bwa mem's -H.
#pragma once

#include <string>

#include "records/sam_header.hpp"

namespace warpseed::records {

/// Adds a line "@CO\t...", "@PG\t..." or "@RG\t..." to a header, unless it is there. "@SQ\t..." replaces the line of the
/// contig that it names (SN), whose length (LN) it must have. False, and nothing added, for "@HD\t...": whoever writes the
/// records knows their order. Throws InputError for another line, one without what it must have, and one whose ID another
/// line has.
bool add_header_line(const std::string& line, SamHeader& header);

}  // namespace warpseed::records
