// Chooses the widest vectors that the processor has for two_piece_dp-inl.hpp.
#include "align/long_reads/two_piece_dp.hpp"

#include <algorithm>
#include <cstdlib>

// Vectors whose size is known only when the program runs do not fit the layout of the arrays. ARM has NEON.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "align/long_reads/two_piece_dp.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h, which compiles this file once for every target:
#include <hwy/highway.h>

#include "align/long_reads/two_piece_dp-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace warpseed::align {
namespace HWY_NAMESPACE {

void fill_between(std::span<const std::uint8_t> query, std::span<const std::uint8_t> genome, const DiagonalBand& band,
                  const LongScoring& scoring, TwoPieceScratch& scratch) {
  const auto query_length = static_cast<std::int32_t>(query.size()),
             genome_length = static_cast<std::int32_t>(genome.size());
  const bool whole = band.lowest <= -query_length && band.highest >= genome_length;
  if (whole && genome_length <= ShortTwoPieceDp::lanes) {
    ShortTwoPieceDp::run(query, genome, scoring, scratch);
  } else {
    TwoPieceDp<false>(query, genome, band, scoring, scratch).run();
  }
}

TwoPieceEnd fill_from(std::span<const std::uint8_t> query, std::span<const std::uint8_t> genome,
                      const DiagonalBand& band, const LongScoring& scoring, TwoPieceScratch& scratch) {
  return TwoPieceDp<true>(query, genome, band, scoring, scratch).run();
}

}  // namespace HWY_NAMESPACE
}  // namespace warpseed::align
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpseed::align {

HWY_EXPORT(fill_between);
HWY_EXPORT(fill_from);

namespace {

/// Appends the path from the corner to an end.
void append_path(TwoPieceScratch& scratch, std::size_t genome_length, std::size_t query_length, Cigar& cigar) {
  Cigar& reversed = scratch.reversed;
  reversed.clear();
  walk_two_piece_path(
      static_cast<std::int32_t>(genome_length) - 1, static_cast<std::int32_t>(query_length) - 1,
      [&](std::int32_t i, std::int32_t j) {
        return scratch.steps[scratch.rows[static_cast<std::size_t>(i + j)] + static_cast<std::size_t>(i)];
      },
      [&](int op, std::int32_t length) {
        records::append(reversed, static_cast<records::CigarOp>(op), static_cast<std::uint32_t>(length));
      });
  for (auto element = reversed.rbegin(); element != reversed.rend(); ++element) {
    records::append(cigar, records::cigar_op(*element), records::cigar_length(*element));
  }
}

}  // namespace

void align_between(std::span<const std::uint8_t> query, std::span<const std::uint8_t> genome, const DiagonalBand& band,
                   const LongScoring& scoring, TwoPieceScratch& scratch, Cigar& cigar) {
  const std::int64_t width = std::int64_t{band.highest} - band.lowest + 1;
  const auto shorter = static_cast<std::int64_t>(std::min(query.size(), genome.size()));
  const auto longer = static_cast<std::int64_t>(std::max(query.size(), genome.size()));
  if (shorter == 0 || longer * std::min(width, shorter) > max_dp_cells) {
    records::append(cigar, records::CigarOp::insertion, static_cast<std::uint32_t>(query.size()));
    records::append(cigar, records::CigarOp::deletion, static_cast<std::uint32_t>(genome.size()));
    return;
  }
  HWY_DYNAMIC_DISPATCH(fill_between)(query, genome, band, scoring, scratch);
  append_path(scratch, genome.size(), query.size(), cigar);
}

TwoPieceEnd extend_from(std::span<const std::uint8_t> query, std::span<const std::uint8_t> genome,
                        const DiagonalBand& band, const LongScoring& scoring, TwoPieceScratch& scratch, Cigar& cigar) {
  if (query.empty() || genome.empty()) return {};
  const TwoPieceEnd end = HWY_DYNAMIC_DISPATCH(fill_from)(query, genome, band, scoring, scratch);
  if (end.query_length == 0) return {};
  append_path(scratch, static_cast<std::size_t>(end.genome_length), static_cast<std::size_t>(end.query_length), cigar);
  return end;
}

}  // namespace warpseed::align
#endif
