// The row range of every k-mer, with which a search begins.
#pragma once

#include "index/fm_index.hpp"

namespace warpseed::index {

/// Fills the table of an index that is complete but for it.
void fill_kmer_ranges(FmIndex& index, int threads);

}  // namespace warpseed::index
