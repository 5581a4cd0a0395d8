// The tags of base modifications, MM, ML and MN, of a part of a read.
#pragma once

#include <cstddef>
#include <string_view>

#include "reads/packed_tags.hpp"

namespace warpseed::reads {

/// Rewrites MM, ML and MN of packed tags for the shown part of a read, and removes them if no bases are shown. MM
/// counts bases as sequenced, so that a reversed record keeps it. Tags that do not fit the read stay unchanged:
/// malformed ones, and those whose MN is not the read's length. bases: the whole read as sequenced. Works in place;
/// returns the new size. SAM Optional Fields Specification, 1.7.
std::size_t trim_modifications(char* fields, std::size_t size, std::string_view bases, const ShownBases& shown);

}  // namespace warpseed::reads
