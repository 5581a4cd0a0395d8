// The text of a SAM header.
#pragma once

#include <string>

#include "reads/alignment_writer.hpp"

namespace warpseed {

/// @HD, @SQ in the order given, @RG, @PG, @CO, a line each. This program follows each of program_lines that none follows
/// yet (PP).
std::string header_text(const SamHeader& header, bool sorted);

}  // namespace warpseed
