// -H of `warpseed align`: lines that are added to the header.
#pragma once

#include <string>
#include <vector>

#include "cli.hpp"
#include "records/sam_header.hpp"

namespace warpseed::cli {

/// Adds what -H gives, each a line that begins with @, with tabs or the two characters \t, or a file of lines. A note for
/// @HD lines, which are left out. Throws InputError, with the file and the line.
void add_header_lines(const std::vector<std::string>& given, records::SamHeader& header, const Logger& logger);

}  // namespace warpseed::cli
