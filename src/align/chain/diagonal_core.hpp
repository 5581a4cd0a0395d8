// Ungapped comparison of a read with a text position from packed words, 32 bases at a time.
#pragma once

#include <cstdint>

#include "align/packed_strand.hpp"
#include "core/bits.hpp"
#include "text/genome_core.hpp"

namespace warpseed::align {

/// Sets the lowest bit of each pair of bits where 32 bases of read and text differ.
WS_HD inline std::uint64_t differences(const PackedStrand& read, std::uint64_t at, const text::PackedView& text,
                                       TextPos position) {
  const std::uint64_t other = read.bases.window(at) ^ text.window(position);
  return ((other | other >> 1) & 0x5555555555555555ULL) | read.unknown.window(at);
}

/// The number of bases in which a read, aligned without gaps from text position `position` on, differs from the text. All
/// of it must be in the text.
WS_HD inline std::uint32_t count_differences(const PackedStrand& read, const text::PackedView& text, TextPos position) {
  std::uint32_t count = 0;
  for (std::uint32_t at = 0; at < read.length(); at += 32) {
    const std::uint32_t rest = read.length() - at;
    const std::uint64_t differ = differences(read, at, text, position + at);
    count += count_ones(rest < 32 ? differ >> (64 - 2 * rest) : differ);
  }
  return count;
}

/// The number of equal consecutive bases immediately before read base `at` and text position `position`; at most
/// `most`.
WS_HD inline std::uint32_t same_before(const PackedStrand& read, std::uint64_t at, const text::PackedView& text,
                                       TextPos position, std::uint32_t most) {
  for (std::uint32_t done = 0; done < most;) {
    const std::uint32_t step = most - done < 32 ? most - done : 32;
    const std::uint64_t differ = differences(read, at - done - step, text, position - done - step) >> (64 - 2 * step);
    if (differ != 0) return done + trailing_zeros(differ) / 2;
    done += step;
  }
  return most;
}

/// The number of equal consecutive bases from read base `at` and text position `position` on; at most `most`.
WS_HD inline std::uint32_t same_after(const PackedStrand& read, std::uint64_t at, const text::PackedView& text,
                                      TextPos position, std::uint32_t most) {
  for (std::uint32_t done = 0; done < most; done += 32) {
    const std::uint64_t differ = differences(read, at + done, text, position + done);
    if (differ == 0) continue;
    const std::uint32_t same = done + leading_zeros(differ) / 2;
    return same < most ? same : most;
  }
  return most;
}

/// The part of a read on a diagonal that is within an N-free segment of the genome.
struct DiagonalStretch {
  std::uint32_t begin = 0, end = 0;  // in the read
  TextPos position = 0;              // of read base `begin`
};

/// On the diagonal that aligns the read's base `anchor` with genome position `at_anchor` (a base, not an N).
WS_HD inline DiagonalStretch stretch_on_diagonal(std::uint32_t read_length, std::uint32_t anchor,
                                                 const text::GenomeView& genome, GenomePos at_anchor) {
  const std::uint64_t segment = text::segment_of(genome, at_anchor);
  const TextPos position = genome.segments[segment].text_begin + (at_anchor - genome.segments[segment].genome_begin);
  const TextPos before = position - genome.segments[segment].text_begin,
                after = genome.separator_of(segment) - position;
  const std::uint32_t begin = before < anchor ? anchor - static_cast<std::uint32_t>(before) : 0;
  const std::uint32_t rest = read_length - anchor;
  return {begin, anchor + (after < rest ? static_cast<std::uint32_t>(after) : rest), position - (anchor - begin)};
}

}  // namespace warpseed::align
