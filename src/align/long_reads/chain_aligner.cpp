#include "align/long_reads/chain_aligner.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include "align/long_reads/path_scan.hpp"

namespace warpseed::align {

namespace {

using records::CigarOp;

constexpr std::int32_t widest_spare = 500;        // diagonals on either side of a band
constexpr std::uint32_t shortest_inversion = 50;  // bases
constexpr std::int32_t inversion_drop = 200;      // a loss between anchors for which an inversion is sought

/// Diagonals on either side of those of both corners: all for short pieces.
std::int32_t spare_of(std::size_t query_length) {
  const auto length = static_cast<std::int32_t>(std::min<std::size_t>(query_length, 1 << 20));
  return std::min(short_piece + length / 4, widest_spare);
}

/// Equal lengths with so few mismatches that no pair of gaps costs less.
bool is_ungapped(std::span<const std::uint8_t> query, std::span<const std::uint8_t> genome,
                 const LongScoring& scoring) {
  if (query.size() != genome.size()) return false;
  const std::int32_t gaps = 2 * (scoring.gap_open + scoring.gap_extend) + scoring.match;
  std::int32_t lost = 0;
  for (std::size_t i = 0; i < query.size() && lost <= gaps; ++i) {
    if (query[i] != genome[i] || query[i] > 3) lost += scoring.match + scoring.mismatch;
  }
  return lost <= gaps;
}

/// The first anchor after `at` that is back near its diagonal, if the next one leaves that by more than scattered
/// errors do and the DP of what lies between may reach as far; else the next anchor. In tandem repeats a chain may gain
/// some anchors by two gaps that cost an alignment more.
std::size_t after_detour(std::span<const Anchor> chain, std::size_t at) {
  constexpr std::int64_t least = 15, furthest = 500;  // bases
  const std::int64_t left_by = std::abs(chain[at + 1].diagonal() - chain[at].diagonal());
  if (left_by < least) return at + 1;
  for (std::size_t i = at + 2; i < chain.size(); ++i) {
    const std::int64_t apart = std::int64_t{chain[i].query_begin} - chain[at].query_end();
    if (apart > furthest) break;
    if (2 * std::abs(chain[i].diagonal() - chain[at].diagonal()) > left_by) continue;
    if (apart > 0 && left_by <= spare_of(static_cast<std::size_t>(apart))) return i;
  }
  return at + 1;
}

/// The bases of the genome that an extension over `length` query bases may reach.
std::uint64_t reach_of(std::uint32_t length) {
  return std::uint64_t{length} + std::min<std::uint64_t>(length / 2 + 16, widest_spare);
}

}  // namespace

std::span<const std::uint8_t> ChainAligner::query_codes(std::uint32_t begin, std::uint32_t end) const {
  return {read_->codes(shape_.reverse) + begin, end - begin};
}

std::span<const std::uint8_t> ChainAligner::genome_codes(GenomePos begin, GenomePos end) const {
  return {window_.data() + (begin - window_begin_), end - begin};
}

void ChainAligner::open_window(const PackedRead& read, std::span<const Anchor> chain) {
  read_ = &read, shape_ = chain.front();
  const GenomePos contig_begin = genome_.contig_begins[shape_.contig];
  const GenomePos contig_end = genome_.contig_begins[shape_.contig + 1];
  const std::uint64_t before = reach_of(chain.front().query_begin);
  const std::uint64_t after = reach_of(read.length() - chain.back().query_end());
  window_begin_ = std::max(contig_begin + before, chain.front().genome_begin) - before;
  const GenomePos window_end = std::min(contig_end - chain.back().genome_end(), after) + chain.back().genome_end();
  window_.resize(window_end - window_begin_);
  text::fetch_codes(genome_, window_begin_, window_end, window_.data());
}

TwoPieceEnd ChainAligner::extend(std::span<const std::uint8_t> query, std::span<const std::uint8_t> genome,
                                 bool read_end, Cigar& cigar) {
  const std::int32_t spare = spare_of(query.size());
  LongScoring scoring = scoring_;
  if (!read_end) scoring.end_bonus = 0;
  return extend_from(query, genome, {-spare, spare}, scoring, scratch_, cigar);
}

/// Begins a part at an anchor: extends it to the left, no further than `floor`.
void ChainAligner::begin_part(const Corner& anchor, const Corner& floor, bool read_end) {
  const auto query = query_codes(floor.query, anchor.query);
  const GenomePos reach = reach_of(anchor.query - floor.query);
  const auto genome = genome_codes(std::max(floor.genome + reach, anchor.genome) - reach, anchor.genome);
  flipped_query_.assign(query.rbegin(), query.rend());
  flipped_genome_.assign(genome.rbegin(), genome.rend());
  cigar_.clear(), piece_.clear();
  const TwoPieceEnd end = extend(flipped_query_, flipped_genome_, read_end, piece_);
  for (auto element = piece_.rbegin(); element != piece_.rend(); ++element) cigar_.push_back(*element);
  begin_ = {anchor.query - static_cast<std::uint32_t>(end.query_length),
            anchor.genome - static_cast<std::uint64_t>(end.genome_length)};
  end_ = anchor;
}

/// Aligns the bases between the part's end and the next anchor.
ChainAligner::Join ChainAligner::join(const Corner& next) {
  const auto query = query_codes(end_.query, next.query);
  const auto genome = genome_codes(end_.genome, next.genome);
  if (is_ungapped(query, genome, scoring_)) {
    records::append(cigar_, CigarOp::match, static_cast<std::uint32_t>(query.size()));
  } else {
    piece_.clear();
    const DiagonalBand band = DiagonalBand::around(static_cast<std::int32_t>(query.size()),
                                                   static_cast<std::int32_t>(genome.size()), spare_of(query.size()));
    align_between(query, genome, band, scoring_, scratch_, piece_);
    const bool may_drop = std::min(query.size(), genome.size()) >= shortest_inversion;
    const std::int32_t drop = may_drop ? largest_drop({piece_, query.data(), genome.data()}, scoring_) : 0;
    if (drop > scoring_.drop || (drop > inversion_drop && is_inverted(end_, next))) return Join::split;
    for (const records::CigarElement element : piece_) {
      records::append(cigar_, records::cigar_op(element), records::cigar_length(element));
    }
  }
  end_ = next;
  return Join::joined;
}

/// Ends a part: extends it to the right, no further than `ceiling`.
void ChainAligner::end_part(const Corner& ceiling, bool read_end, std::vector<LongAlignment>& found) {
  const auto query = query_codes(end_.query, ceiling.query);
  const GenomePos reach = std::min(ceiling.genome - end_.genome, reach_of(ceiling.query - end_.query));
  const auto genome = genome_codes(end_.genome, end_.genome + reach);
  extend(query, genome, read_end, cigar_);
  add_alignment(cigar_, begin_, false, found);
}

/// Adds the alignment along a path, if it scores enough.
void ChainAligner::add_alignment(Cigar& cigar, const Corner& begin, bool inverted, std::vector<LongAlignment>& found) {
  const bool reverse = shape_.reverse != inverted;
  const std::uint8_t* const query = read_->codes(reverse) + begin.query;
  const std::uint8_t* const genome = window_.data() + (begin.genome - window_begin_);
  shift_gaps_left(cigar, query, genome);
  std::optional<TrimmedPath> path = trim_path({cigar, query, genome}, scoring_, options_.min_long_score);
  if (!path) return;
  LongAlignment& alignment = found.emplace_back();
  alignment.contig = shape_.contig, alignment.reverse = reverse;
  alignment.alt = options_.is_alt(shape_.contig);
  alignment.score = alignment.path_score = path->score;
  alignment.query_begin = begin.query + path->query_begin;
  alignment.query_end = alignment.query_begin + path->query_length;
  alignment.genome_begin = begin.genome + path->genome_begin;
  alignment.genome_end = alignment.genome_begin + path->genome_length;
  alignment.matches = path->matches, alignment.columns = path->columns;
  alignment.cigar = std::move(path->cigar);
}

/// Aligns the reverse complement of the read bases between two corners with the genome there, into piece_. Returns
/// where its path begins.
ChainAligner::Corner ChainAligner::invert(const Corner& begin, const Corner& end) {
  const std::uint32_t length = end.query - begin.query;
  const Corner inverted = {read_->length() - end.query, begin.genome};
  const std::span query = {read_->codes(!shape_.reverse) + inverted.query, length};
  const auto genome = genome_codes(begin.genome, end.genome);
  const DiagonalBand band = DiagonalBand::around(static_cast<std::int32_t>(length),
                                                 static_cast<std::int32_t>(genome.size()), spare_of(length));
  piece_.clear();
  align_between(query, genome, band, scoring_, scratch_, piece_);
  return inverted;
}

/// Does part of the read between two corners align on the other strand?
bool ChainAligner::is_inverted(const Corner& begin, const Corner& end) {
  const Cigar forward = piece_;
  const Corner inverted = invert(begin, end);
  const PathView path = {piece_, read_->codes(!shape_.reverse) + inverted.query,
                         window_.data() + (inverted.genome - window_begin_)};
  const bool found = trim_path(path, scoring_, options_.min_long_score).has_value();
  piece_ = forward;
  return found;
}

/// Adds what aligns on the other strand between two parts.
void ChainAligner::try_inversion(const Corner& begin, const Corner& end, std::vector<LongAlignment>& found) {
  if (std::min<std::uint64_t>(end.query - begin.query, end.genome - begin.genome) < shortest_inversion) return;
  const Corner inverted = invert(begin, end);
  add_alignment(piece_, inverted, true, found);
}

void ChainAligner::align(const PackedRead& read, std::span<const Anchor> chain, std::vector<LongAlignment>& found) {
  open_window(read, chain);
  const Corner window_begin = {0, window_begin_}, window_end = {read.length(), window_begin_ + window_.size()};
  begin_part({chain.front().query_begin, chain.front().genome_begin}, window_begin, true);
  records::append(cigar_, CigarOp::match, chain.front().length);
  end_ = {chain.front().query_end(), chain.front().genome_end()};
  for (std::size_t i = 0; i + 1 < chain.size();) {
    i = after_detour(chain, i);
    const Anchor& anchor = chain[i];
    std::uint32_t overlap = end_.query > anchor.query_begin ? end_.query - anchor.query_begin : 0;
    if (end_.genome > anchor.genome_begin + overlap) {
      overlap = static_cast<std::uint32_t>(end_.genome - anchor.genome_begin);
    }
    if (overlap >= anchor.length) continue;
    const Corner next = {anchor.query_begin + overlap, anchor.genome_begin + overlap};
    if (join(next) == Join::split) {
      const Corner end = end_;
      end_part(next, false, found);
      try_inversion(end, next, found);
      begin_part(next, end, false);
    }
    records::append(cigar_, CigarOp::match, anchor.length - overlap);
    end_ = {anchor.query_end(), anchor.genome_end()};
  }
  end_part(window_end, true, found);
}

}  // namespace warpseed::align
