// The files of reads of `warpseed align`: lanes, by commas or by -1 and -2, and the read groups of -R.
#pragma once

#include <string>
#include <vector>

#include "align_flags.hpp"
#include "reads/lanes.hpp"

namespace warpseed::cli {

/// Makes flags.lanes of R1 and R2, or of -1 and -2, and parses flags.read_groups. With -p a second file is left out, with a
/// note. Throws InputError for mates in
/// different numbers of files, both kinds of arguments, or read groups that are neither one nor one for each lane.
void complete_lanes(AlignFlags& flags);

/// The files of all lanes, in their order.
std::vector<std::string> paths_of(const std::vector<reads::Lane>& lanes);

/// For messages about all reads.
std::string names_of(const std::vector<reads::Lane>& lanes);

}  // namespace warpseed::cli
