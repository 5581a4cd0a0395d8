// Builds the FM-index of a genome: BWT in rank blocks, sampled suffix array, k-mer table.
#pragma once

#include <cstdint>
#include <vector>

#include "core/backend.hpp"
#include "core/zero_pages.hpp"
#include "index/fm_core.hpp"
#include "suffix/suffix_array.hpp"
#include "text/genome.hpp"
#include "warpseed/index_options.hpp"
#include "warpseed/progress.hpp"

namespace warpseed::index {

struct BuildOptions : IndexOptions {
  suffix::SortOptions sorting;
};

/// The FM-index in host memory; the arrays are those of FmView, stored as in the file.
struct FmIndex {
  ZeroedArray<RankBlock> blocks;
  std::vector<Superblock> superblocks;
  Row first_row[5] = {};
  ZeroedArray<std::byte> samples;         // entries of position_width bytes
  ZeroedArray<std::byte> segment_starts;  // the same
  ZeroedArray<std::byte> kmer_ranges;     // the same
  std::uint32_t position_width = 4;       // 4 if the text has at most narrow_limit symbols, else 8
  std::uint32_t sample_step = 4;
  std::uint32_t kmer_length = 0;

  FmView view() const;
};

/// The k of the k-mer table of a text: the largest k <= 13 with a table of 8 * 4^k bytes (16 * 4^k beyond narrow_limit)
/// that takes at most three quarters of a byte per symbol.
std::uint32_t kmer_length_for(std::uint64_t text_size);

/// Sorts the suffixes and builds the index on the backend; the result is the same for every backend and thread count.
///
/// Memory: index_needs(), checked first: on the CPU 5.6 bytes per base, at least 4.6 (11 and 8.4 beyond
///         narrow_limit); 2 bytes with CUDA.
/// Throws InputError for an option out of range, IoError or BackendError if memory does not suffice.
FmIndex build_fm_index(const text::GenomeView& genome, const Backend& backend, const BuildOptions& options = {},
                       const ProgressCallback& progress = {});

/// Builds the index of a text from its suffix array: the CPU path of build_fm_index().
template <class Pos>
FmIndex fm_index_from(const text::GenomeView& genome, const std::vector<Pos>& suffixes, std::uint32_t sample_step,
                      int threads);

}  // namespace warpseed::index
