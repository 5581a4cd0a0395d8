// The index that a command names: the .wsi file, or the FASTA file that it is next to.
#pragma once

#include <string>

namespace warpseed::cli {

/// `path`, or `path` + ".wsi" where `path` is no index and that file exists. Throws InputError with the command that
/// makes an index if neither is there; what ends in .wsi is returned as it is.
std::string find_index(const std::string& path);

}  // namespace warpseed::cli
