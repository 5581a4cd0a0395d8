#include "align/long_reads/chain_aligner.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "align/long_reads/chain_path_core.hpp"
#include "align/long_reads/path_scan.hpp"

namespace warpseed::align {

namespace {

using records::CigarOp;

constexpr std::uint32_t shortest_inversion = 50;  // bases
constexpr std::int32_t inversion_drop = 200;      // a loss between anchors for which an inversion is sought

/// Equal lengths with so few mismatches that no pair of gaps costs less.
bool is_ungapped(std::span<const std::uint8_t> query, std::span<const std::uint8_t> genome,
                 const LongScoring& scoring) {
  if (query.size() != genome.size()) return false;
  const std::int32_t most = most_lost_ungapped(scoring);
  std::int32_t lost = 0;
  for (std::size_t i = 0; i < query.size() && lost <= most; ++i) lost += lost_by(scoring, query[i], genome[i]);
  return lost <= most;
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

void ChainAligner::open_window(const PackedRead& read, const Anchor& first, const Anchor& last) {
  read_ = &read, shape_ = first;
  const GenomePos contig_begin = genome_.contig_begins[shape_.contig];
  const GenomePos contig_end = genome_.contig_begins[shape_.contig + 1];
  const std::uint64_t before = reach_of(first.query_begin);
  const std::uint64_t after = reach_of(read.length() - last.query_end());
  window_begin_ = std::max(contig_begin + before, first.genome_begin) - before;
  const GenomePos window_end = std::min(contig_end - last.genome_end(), after) + last.genome_end();
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

/// Sets piece_ to the path of a joint, which is `known`, or computed. Returns whether the read drops out there.
bool ChainAligner::align_joint(const ChainJoint& joint, std::span<const records::CigarElement> known) {
  const auto query = query_codes(joint.begin.query, joint.end.query);
  const auto genome = genome_codes(joint.begin.genome, joint.end.genome);
  piece_.assign(known.begin(), known.end());
  if (known.empty()) {
    if (is_ungapped(query, genome, scoring_)) {
      records::append(piece_, CigarOp::match, joint.query_length());
      return false;
    }
    align_between(query, genome, band_of(joint), scoring_, scratch_, piece_);
  }
  if (std::min(query.size(), genome.size()) < shortest_inversion) return false;
  const std::int32_t drop = largest_drop({piece_, query.data(), genome.data()}, scoring_);
  return drop > scoring_.drop || (drop > inversion_drop && is_inverted(joint.begin, joint.end));
}

void ChainAligner::append_piece() {
  for (const records::CigarElement element : piece_) {
    records::append(cigar_, records::cigar_op(element), records::cigar_length(element));
  }
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
  alignment.columns = path->columns;
  alignment.cigar = std::move(path->cigar);
  alignment.differences = std::move(path->differences);
  alignment.matches = path->genome_length - static_cast<std::uint32_t>(alignment.differences.size());
}

/// Aligns the reverse complement of the read bases between two corners with the genome there, into piece_. Returns
/// where its path begins.
Corner ChainAligner::invert(const Corner& begin, const Corner& end) {
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

void ChainAligner::align(const PackedRead& read, std::span<const Anchor> chain, const JointPaths& known,
                         std::vector<LongAlignment>& found) {
  path_scores_.resize(chain.size()), next_.resize(chain.size());
  const ChainPathEnds ends =
      choose_path(chain.data(), static_cast<std::uint32_t>(chain.size()), scoring_, path_scores_.data(), next_.data());
  const Anchor &first = chain[ends.first], &last = chain[ends.last];
  open_window(read, first, last);
  const Corner window_begin = {0, window_begin_}, window_end = {read.length(), window_begin_ + window_.size()};
  begin_part({first.query_begin, first.genome_begin}, window_begin, true);
  records::append(cigar_, CigarOp::match, first.length);
  end_ = {first.query_end(), first.genome_end()};
  for_each_joint(chain.data(), ends, next_.data(), [&](std::uint32_t i, const ChainJoint& joint) {
    if (align_joint(joint, known.to(i))) {
      end_part(joint.end, false, found);
      try_inversion(joint.begin, joint.end, found);
      begin_part(joint.end, joint.begin, false);
    } else {
      append_piece();
    }
    end_ = {chain[i].query_end(), chain[i].genome_end()};
    records::append(cigar_, CigarOp::match, end_.query - joint.end.query);
  });
  end_part(window_end, true, found);
}

}  // namespace warpseed::align
