// An alignment of a long read, or of a part of it, with its path.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "align/alignment.hpp"
#include "align/record/path_core.hpp"
#include "records/alignment_record.hpp"

namespace warpseed::align {

using Cigar = std::vector<records::CigarElement>;

/// `score` is that of the path with gaps that cost their length's logarithm beyond opening, so that a long one does not
/// outweigh the bases next to it.
struct LongAlignment : Alignment {
  Cigar cigar;  // M, I and D, gaps leftmost, from query_begin and genome_begin on
  std::vector<Difference> differences;
  std::uint32_t matches = 0;  // equal bases
  std::uint32_t columns = 0;  // matches, mismatches, inserted and deleted bases
  std::int32_t mapq = 0;
};

/// The most parts of a read that are reported, those with the highest scores. Each has an SA tag that lists the others, so
/// that this number squared bounds the output; a read of thousands of copies of a short sequence would fill the disk.
inline std::uint32_t most_parts(std::uint32_t read_length) {
  constexpr std::uint32_t least = 16;
  return std::max(least, static_cast<std::uint32_t>(std::sqrt(static_cast<double>(read_length))));
}

}  // namespace warpseed::align
