// The text, shared by both backends: packed bases, segments, contigs, and conversions between their coordinates.
//
// Three coordinates, all 0-based:
//   text position    TextPos    in the packed text: segments with one separator after each
//   genome position  GenomePos  in the concatenated contigs, N runs included
//   (contig, offset)            in input and output
#pragma once

#include <cstdint>

#include "core/types.hpp"
#include "core/view.hpp"
#include "text/alphabet.hpp"

namespace warpseed::text {

/// 2 bits per base, most significant bits first: base i is bits 63-2(i%32) and 62-2(i%32) of word i/32.
/// A separator is stored as 0; only the segments distinguish it from an A.
struct PackedView {
  const std::uint64_t* words = nullptr;  // [size/32 + 2]: a spare word, so that window() may read past the end
  std::uint64_t size = 0;                // symbols, separators included

  WS_HD std::uint8_t operator[](TextPos i) const {
    return static_cast<std::uint8_t>(words[i / 32] >> (62 - 2 * (i % 32)) & 3);
  }

  /// The 32 symbols from `i` on as a number that compares like the text; i <= size. Padded with zeros past the end.
  WS_HD std::uint64_t window(TextPos i) const {
    const std::uint64_t high = words[i / 32];
    const unsigned shift = 2 * static_cast<unsigned>(i % 32);
    return shift == 0 ? high : high << shift | words[i / 32 + 1] >> (64 - shift);
  }
};

/// PackedView::window() without its branch, for positions at which that branch is unpredictable.
WS_HD inline std::uint64_t window_branchless(const PackedView& text, TextPos i) {
  const unsigned shift = 2 * static_cast<unsigned>(i % 32);
  return text.words[i / 32] << shift | text.words[i / 32 + 1] >> 1 >> (63 - shift);
}

/// A maximal interval of a contig without N. Its separator is at the next segment's text_begin - 1.
struct Segment {
  TextPos text_begin = 0;
  GenomePos genome_begin = 0;

  friend bool operator==(const Segment&, const Segment&) = default;
};
static_assert(sizeof(Segment) == 16);

/// The text as alignment and search use it; owns nothing.
struct GenomeView {
  PackedView text;
  View<Segment> segments;             // [segments + 1], by text_begin; the last is {text.size, genome size}
  View<std::uint64_t> contig_begins;  // [contigs + 1] GenomePos of each contig; the last is the size of the genome

  WS_HD std::uint64_t segment_count() const { return segments.size - 1; }
  WS_HD std::uint64_t contig_count() const { return contig_begins.size - 1; }
  WS_HD TextPos separator_of(std::uint64_t segment) const { return segments[segment + 1].text_begin - 1; }
  WS_HD std::uint64_t segment_length(std::uint64_t segment) const {
    return separator_of(segment) - segments[segment].text_begin;
  }
};

/// The last i in [0, count) with at(i) <= value, for at(0) <= value and nondecreasing at().
template <class At>
WS_HD std::uint64_t last_not_above(std::uint64_t count, std::uint64_t value, At at) {
  std::uint64_t low = 0, high = count;
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (at(middle) <= value ? low : high) = middle;
  }
  return low;
}

constexpr TextPos no_text_pos = ~TextPos{0};

/// The segment of genome position `at`; for an N the preceding segment, or the first one if none precedes.
WS_HD inline std::uint64_t segment_of(const GenomeView& genome, GenomePos at) {
  return last_not_above(genome.segment_count(), at, [&](std::uint64_t i) { return genome.segments[i].genome_begin; });
}

/// The text position of genome positions [begin, begin + length); no_text_pos if one is an N or outside the genome.
WS_HD inline TextPos whole_in_text(const GenomeView& genome, GenomePos begin, std::uint64_t length) {
  if (genome.segment_count() == 0 || genome.segments[0].genome_begin > begin) return no_text_pos;
  const std::uint64_t segment = segment_of(genome, begin), offset = begin - genome.segments[segment].genome_begin;
  if (offset + length > genome.segment_length(segment)) return no_text_pos;
  return genome.segments[segment].text_begin + offset;
}

/// The segment of text position `at` (its separator is part of it).
WS_HD inline std::uint64_t segment_at(const GenomeView& genome, TextPos at) {
  return last_not_above(genome.segment_count(), at, [&](std::uint64_t i) { return genome.segments[i].text_begin; });
}

/// Where a match begins, and how long it can be at most.
struct SegmentPosition {
  std::uint64_t segment;
  std::uint64_t offset;  // bases of the segment before it
  std::uint64_t rest;    // bases of the segment from there on, at least 1
};

/// A text position within its segment. A separator, where only matches of a forged index begin, becomes the base before it.
WS_HD inline SegmentPosition within_segment(const GenomeView& genome, TextPos at) {
  const std::uint64_t segment = segment_at(genome, at);
  const TextPos separator = genome.separator_of(segment);
  if (at == separator) --at;
  return {segment, at - genome.segments[segment].text_begin, separator - at};
}

/// The genome position of a text position. A separator maps to the position just after its segment.
WS_HD inline GenomePos to_genome(const GenomeView& genome, TextPos at) {
  const Segment& segment = genome.segments[segment_at(genome, at)];
  return segment.genome_begin + (at - segment.text_begin);
}

/// The contig of a genome position. (Contigs are never empty.)
WS_HD inline std::uint64_t contig_at(const GenomeView& genome, GenomePos at) {
  return last_not_above(genome.contig_count(), at, [&](std::uint64_t i) { return genome.contig_begins[i]; });
}

/// Spreads eight bases, 16 bits, over eight bytes, the first base in the highest one.
WS_HD inline std::uint64_t spread_bases(std::uint64_t bases) {
  bases = (bases | bases << 24) & 0x000000FF000000FFULL;
  bases = (bases | bases << 12) & 0x000F000F000F000FULL;
  return (bases | bases << 6) & 0x0303030303030303ULL;
}

/// Writes the codes of text positions [from, from + count) to out[first], out[first + 1]...
template <class Out>
WS_HD inline void unpack(const PackedView& text, TextPos from, std::uint64_t count, const Out& out,
                         std::uint64_t first) {
  std::uint64_t done = 0;
#ifndef __CUDA_ARCH__
  for (; done + 8 <= count; done += 8) {
    const std::uint64_t eight = spread_bases(text.window(from + done) >> 48);
    for (unsigned i = 0; i < 8; ++i) {
      out[first + done + i] = static_cast<std::uint8_t>(eight >> (56 - 8 * i));  // together one store
    }
  }
#endif
  for (; done < count; ++done) out[first + done] = text[from + done];
}

/// Writes the codes of genome positions [begin, end) to out[0], out[1]...; N runs become code_n.
/// Any range inside the genome is valid, but only one within a contig is meaningful.
template <class Out>
WS_HD inline void fetch_codes(const GenomeView& genome, GenomePos begin, GenomePos end, const Out& out) {
  std::uint64_t next = 0;  // the first segment that ends after `at`
  GenomePos at = begin;
  if (genome.segment_count() > 0 && genome.segments[0].genome_begin <= begin) next = segment_of(genome, begin);
  while (at < end) {
    const bool in_gap = next >= genome.segment_count() || at < genome.segments[next].genome_begin;
    if (in_gap) {
      const GenomePos gap_end = next >= genome.segment_count() ? end : genome.segments[next].genome_begin;
      for (; at < gap_end && at < end; ++at) out[at - begin] = code_n;
      continue;
    }
    const Segment& segment = genome.segments[next];
    const GenomePos segment_end = segment.genome_begin + genome.segment_length(next);
    const GenomePos stop = segment_end < end ? segment_end : end;
    if (at < stop) {  // the first position may be an N after its segment
      unpack(genome.text, segment.text_begin + (at - segment.genome_begin), stop - at, out, at - begin);
      at = stop;
    }
    ++next;
  }
}

}  // namespace warpseed::text
