// Builds the FM-index of a genome: BWT in rank blocks, sampled suffix array, k-mer table.
#pragma once

#include <cstdint>
#include <vector>

#include "core/backend.hpp"
#include "core/progress.hpp"
#include "index/fm_core.hpp"
#include "suffix/suffix_array.hpp"
#include "text/genome.hpp"

namespace warpseed::index {

struct IndexOptions {
  std::uint32_t sample_step = 4;  // a power of two, 1 to 256
  suffix::SortOptions sorting;
};

/// The FM-index in host memory; the arrays are those of FmView, stored as they stand in the file.
struct FmIndex {
  std::vector<RankBlock> blocks;
  std::vector<Superblock> superblocks;
  Row first_row[5] = {};
  std::vector<std::byte> samples;         // entries of position_width bytes
  std::vector<std::byte> segment_starts;  // likewise
  std::vector<std::byte> kmer_ranges;     // likewise
  std::uint32_t position_width = 4;       // 4 while the text has at most narrow_limit symbols, else 8
  std::uint32_t sample_step = 4;
  std::uint32_t kmer_length = 0;

  FmView view() const;
};

/// The k of the k-mer table for a text: the largest with 8 * 4^k bytes (16 beyond narrow_limit) at most
/// three quarters of a byte a symbol, at most 13.
std::uint32_t kmer_length_for(std::uint64_t text_size);

/// Sorts the suffixes on the backend and builds the index there; the same bytes from every backend and thread count.
///
/// Memory: host 6.5 bytes a base on the CPU (10.5 beyond 2^31 symbols), 2 bytes with CUDA; stated and checked first.
/// Throws InputError for an option out of range, IoError or BackendError if memory does not suffice.
FmIndex build_fm_index(const text::GenomeView& genome, const Backend& backend, const IndexOptions& options = {},
                       const ProgressCallback& progress = {});

/// The index of a text whose suffix array is known: the CPU path behind build_fm_index().
template <class Pos>
FmIndex fm_index_from(const text::GenomeView& genome, const std::vector<Pos>& suffixes, std::uint32_t sample_step,
                      int threads);

}  // namespace warpseed::index
