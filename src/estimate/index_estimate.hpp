// What `index` takes.
#pragma once

#include <span>
#include <string>

#include "core/backend.hpp"
#include "estimate/run_needs.hpp"
#include "index/fm_index.hpp"

namespace warpseed::estimate {

/// For these FASTA files, none of whose bases is taken for an N. On a machine with memory enough, or as
/// options.sorting limits it. Throws as content_size() does, and IoError if the limit does not suffice.
RunNeeds index_run_needs(std::span<const std::string> references, const Backend& backend,
                         const index::BuildOptions& options);

}  // namespace warpseed::estimate
