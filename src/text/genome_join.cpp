#include "text/genome_join.hpp"

#include <algorithm>

#include "core/parallel.hpp"

namespace warpseed::text {

namespace {

/// A segment's bases: their source and destination.
struct Piece {
  PackedView source;
  TextPos begin = 0, end = 0;  // in the source
  TextPos to = 0;              // in the joined text
  bool reversed = false;
};

/// Lists the pieces of one part and adds its segments and contigs to `genome`.
void add_part(const GenomePart& part, Genome& genome, std::vector<Piece>& pieces) {
  const GenomeView& from = part.genome;
  const std::uint64_t segments = from.segment_count();
  const GenomePos base = genome.contig_begins.back();
  std::uint64_t next = 0;  // the first segment of the contig
  for (std::uint64_t contig = 0; contig < from.contig_count(); ++contig) {
    const GenomePos begin = from.contig_begins[contig], end = from.contig_begins[contig + 1];
    std::uint64_t last = next;
    while (last < segments && from.segments[last].genome_begin < end) ++last;
    for (std::uint64_t i = next; i < last; ++i) {
      const std::uint64_t segment = part.reversed ? last - 1 - (i - next) : i;
      const TextPos source = from.segments[segment].text_begin;
      const std::uint64_t length = from.segment_length(segment);
      const GenomePos at = from.segments[segment].genome_begin;
      const GenomePos joined_at = part.reversed ? begin + (end - (at + length)) : at;
      const TextPos to = genome.segments.back().text_begin;
      pieces.push_back({from.text, source, source + length, to, part.reversed});
      genome.segments.back().genome_begin = base + joined_at;
      genome.segments.push_back({to + length + 1, 0});
    }
    next = last;
    genome.contig_begins.push_back(base + end);
  }
  genome.segments.back().genome_begin = genome.contig_begins.back();
}

/// The reverse complement of 32 bases.
std::uint64_t reverse_complement(std::uint64_t bases) {
  constexpr std::uint64_t pairs = 0x3333333333333333ULL, nibbles = 0x0F0F0F0F0F0F0F0FULL;
  bases = (bases >> 2 & pairs) | (bases & pairs) << 2;
  bases = (bases >> 4 & nibbles) | (bases & nibbles) << 4;
  return ~__builtin_bswap64(bases);
}

/// 32 symbols of the piece from `offset` on, undefined past its end.
std::uint64_t window_of(const Piece& piece, std::uint64_t offset) {
  if (!piece.reversed) return piece.source.window(piece.begin + offset);
  const TextPos last = piece.end - offset;  // the first symbol is the complement of the one before `last`
  const std::uint64_t bases = last >= 32 ? piece.source.window(last - 32) : piece.source.window(0) >> (64 - 2 * last);
  return reverse_complement(bases);
}

/// Writes words [begin, end) of the joined text, each from the pieces that overlap it.
void write_words(std::span<const Piece> pieces, std::uint64_t begin, std::uint64_t end, std::uint64_t* words) {
  auto piece = std::upper_bound(pieces.begin(), pieces.end(), 32 * begin,
                                [](TextPos at, const Piece& other) { return at < other.to; });
  if (piece != pieces.begin()) --piece;
  for (; piece != pieces.end() && piece->to < 32 * end; ++piece) {
    const TextPos to_end = std::min(piece->to + (piece->end - piece->begin), 32 * end);
    for (TextPos at = std::max(piece->to, 32 * begin); at < to_end;) {
      const std::uint64_t shift = at % 32, count = std::min(32 - shift, to_end - at);
      const std::uint64_t kept = ~std::uint64_t{0} << (64 - 2 * count);
      words[at / 32] |= (window_of(*piece, at - piece->to) & kept) >> (2 * shift);
      at += count;
    }
  }
}

}  // namespace

Genome joined(std::span<const GenomePart> parts, int threads) {
  Genome genome;
  std::vector<Piece> pieces;
  for (const GenomePart& part : parts) add_part(part, genome, pieces);
  genome.words.assign(genome.text_size() / 32 + 2, 0);
  genome.names.resize(genome.contig_begins.size() - 1);
  constexpr std::uint64_t words_per_batch = 1 << 14;
  for_blocks(threads, genome.words.size(), words_per_batch,
             [&](std::uint64_t begin, std::uint64_t end) { write_words(pieces, begin, end, genome.words.data()); });
  return genome;
}

}  // namespace warpseed::text
