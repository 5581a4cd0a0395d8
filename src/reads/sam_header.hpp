// The text of a SAM header.
#pragma once

#include <string>

#include "reads/alignment_writer.hpp"

namespace warpseed {

/// @HD, @SQ in the order given, @RG, @PG, a line each.
std::string header_text(const SamHeader& header, bool sorted);

}  // namespace warpseed
