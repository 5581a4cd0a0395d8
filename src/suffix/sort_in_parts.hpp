// The suffix array on the CPU, in parts, only one of which is in memory at a time.
#pragma once

#include <cstdint>

#include "suffix/bounded_text_core.hpp"
#include "suffix/sorted_rows.hpp"
#include "text/genome_core.hpp"

namespace warpseed::suffix {

/// Memory of sort_in_parts(), besides the text with its separators and what the sink takes.
struct PartsNeeds {
  std::uint64_t least_bytes = 0;     // with many parts
  std::uint64_t one_part_bytes = 0;  // more is of no use
};
template <class Pos>
PartsNeeds parts_needs(const text::GenomeView& genome);

/// The memory to give sort_in_parts(): what one part takes, or all that `allowed` leaves (0: what is available).
/// reserved: bytes of the allowed ones that the sink takes.
/// Throws IoError if that is less than the least.
template <class Pos>
std::uint64_t bytes_for_parts(const text::GenomeView& genome, std::uint64_t allowed, std::uint64_t reserved);

/// Sorts the suffixes in parts that begin with neighbouring first symbols, and passes the rows on.
///
/// The suffixes of a difference cover are sorted first. For each part, a scan of the text lists its suffixes in buckets,
/// which are sorted in a core's cache; suffixes with equal keys are compared by the ranks of their next positions in
/// the cover.
/// Source:  Burkhardt and Kaerkkaeinen, "Fast lightweight suffix array construction and checking", CPM 2003.
/// bytes:   of memory to use at most; a bucket that alone takes more makes a part of its own.
/// Cost:    O(n log n) on `threads` threads; one more scan of the text per part.
template <class Pos>
void sort_in_parts(const text::GenomeView& genome, const SeparatorView& separators, int threads, std::uint64_t bytes,
                   const RowsSink<Pos>& sink);

}  // namespace warpseed::suffix
