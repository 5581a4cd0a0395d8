// The positions of the words with which matches begin, built and kept on the device.
#pragma once

#include "core/buffer.cuh"
#include "overlap/matches/match_core.hpp"
#include "overlap/matches/match_finder.hpp"
#include "overlap/matches/word_rows.cuh"

namespace warpseed::overlap::cuda {

/// Owns the device arrays of a WordJoinView (overlap/matches/match_core.hpp).
struct DeviceWordJoin {
  Buffer<WordStart<std::uint32_t>> starts;
  Buffer<std::uint64_t> begins;
  Buffer<WordPartner<std::uint32_t>> partners;
  std::uint64_t shortest = 1;
  bool self = false, by_query = false;

  WordJoinView<std::uint32_t> view() const {
    return {starts.view(), begins.view(), partners.view(), shortest, self, by_query};
  }
};

/// contig_begins: [contigs + 1] text positions; they separate the queries if uniqueness is requested.
DeviceWordJoin join_words(const suffix::cuda::DeviceText& text, const WordSides& sides, const MatchOptions& options,
                          std::span<const TextPos> contig_begins, const Stream& stream);

}  // namespace warpseed::overlap::cuda
