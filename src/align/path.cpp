#include "align/path.hpp"

#include <algorithm>
#include <bit>
#include <optional>

namespace warpseed {

namespace {

void push(std::vector<CigarElement>& cigar, CigarOp op, std::uint32_t length) {
  if (length == 0) return;
  if (!cigar.empty() && cigar_op(cigar.back()) == op) {
    cigar.back() += length << 4;
  } else {
    cigar.push_back(cigar_element(op, length));
  }
}

/// Gaps at the very ends explain nothing: insertions become clips, deletions go. Returns genome bases cut off
/// the front.
std::uint32_t trim_gaps(std::vector<CigarElement>& cigar, std::uint32_t& clip_front, std::uint32_t& clip_back) {
  std::uint32_t skipped = 0;
  while (!cigar.empty() && cigar_op(cigar.front()) != CigarOp::match) {
    if (cigar_op(cigar.front()) == CigarOp::insertion) clip_front += cigar_length(cigar.front());
    if (cigar_op(cigar.front()) == CigarOp::deletion) skipped += cigar_length(cigar.front());
    cigar.erase(cigar.begin());
  }
  while (!cigar.empty() && cigar_op(cigar.back()) != CigarOp::match) {
    if (cigar_op(cigar.back()) == CigarOp::insertion) clip_back += cigar_length(cigar.back());
    cigar.pop_back();
  }
  return skipped;
}

/// NM and MD from the path over `query` and `genome`, both from its first base on.
void describe_differences(Path& path, const std::uint8_t* query, const std::uint8_t* genome) {
  std::uint32_t same = 0;
  const auto flush = [&] {
    path.mismatches += std::to_string(same);
    same = 0;
  };
  for (const CigarElement element : path.cigar) {
    const std::uint32_t length = cigar_length(element);
    if (cigar_op(element) == CigarOp::insertion) {
      path.edit_distance += static_cast<std::int32_t>(length);
      query += length;
    } else if (cigar_op(element) == CigarOp::deletion) {
      path.edit_distance += static_cast<std::int32_t>(length);
      flush();
      path.mismatches += '^';
      for (std::uint32_t i = 0; i < length; ++i) path.mismatches += letter_of_code(*genome++);
    } else {
      for (std::uint32_t i = 0; i < length; ++i, ++query, ++genome) {
        if (*query == *genome && *query < 4) {
          ++same;
          continue;
        }
        ++path.edit_distance;
        flush();
        path.mismatches += letter_of_code(*genome);
      }
    }
  }
  flush();
}

/// Where a stretch of genome stands in the text; nowhere if it holds an N.
std::optional<TextPos> text_of_range(const GenomeView& genome, GenomePos begin, GenomePos end) {
  if (genome.segment_count() == 0 || genome.segments[0].genome_begin > begin) return std::nullopt;
  const std::uint64_t segment =
      last_not_above(genome.segment_count(), begin, [&](std::uint64_t i) { return genome.segments[i].genome_begin; });
  const Segment& holding = genome.segments[segment];
  if (end > holding.genome_begin + genome.segment_length(segment)) return std::nullopt;
  return holding.text_begin + (begin - holding.genome_begin);
}

}  // namespace

/// Without gaps, from packed words: false if the genome has an N there, or if gaps score better.
bool PathTracer::trace_straight(const Alignment& alignment, const TurnedRead& read, Path& path) const {
  const std::uint32_t length = alignment.query_end - alignment.query_begin;
  if (length == 0 || length != alignment.genome_end - alignment.genome_begin) return false;
  const std::optional<TextPos> place = text_of_range(genome_, alignment.genome_begin, alignment.genome_end);
  if (!place) return false;
  const PackedRead packed = read.packed(alignment.reverse);
  std::uint32_t same = 0, differ = 0, unknown = 0;
  for (std::uint32_t done = 0; done < length; done += 32) {
    const std::uint32_t count = std::min(length - done, 32U), at = alignment.query_begin + done;
    const std::uint64_t counted = ~std::uint64_t{0} << (64 - 2 * count);
    unknown += static_cast<std::uint32_t>(std::popcount(packed.unknown.window(at) & counted));
    std::uint32_t begin = 0;  // of the bases that are the same, in these 32
    for (std::uint64_t rest = differences(packed, at, genome_.text, *place + done) & counted; rest != 0;) {
      const unsigned zeros = leading_zeros(rest);
      path.mismatches += std::to_string(same + zeros / 2 - begin);
      path.mismatches += letter_of_code(genome_.text[*place + done + zeros / 2]);
      same = 0, begin = zeros / 2 + 1;
      ++differ;
      rest &= ~(std::uint64_t{1} << (63 - zeros));
    }
    same += count - begin;
  }
  path.mismatches += std::to_string(same);
  path.edit_distance = static_cast<std::int32_t>(differ);
  path.cigar = {cigar_element(CigarOp::match, length)};
  const Scoring& scoring = options_.scoring;
  return static_cast<std::int32_t>(length - differ) * scoring.match -
             static_cast<std::int32_t>(differ - unknown) * scoring.mismatch - static_cast<std::int32_t>(unknown) >=
         alignment.path_score;
}

bool PathTracer::ungapped(const std::uint8_t* query, std::int32_t length, std::int32_t score) const {
  if (length != static_cast<std::int32_t>(window_.size())) return false;
  std::int32_t straight = 0;
  for (std::int32_t i = 0; i < length; ++i) {
    straight += options_.scoring.of(query[i], window_[static_cast<std::size_t>(i)]);
  }
  return straight >= score;
}

void PathTracer::fill(const std::uint8_t* query, std::int32_t query_length, std::int32_t genome_length,
                      std::int32_t score) {
  const std::int32_t band = path_band(query_length, genome_length, score, options_.scoring);
  row_.resize(static_cast<std::size_t>(query_length) + 1);
  steps_.resize(static_cast<std::size_t>(genome_length) * (2 * static_cast<std::size_t>(band) + 1));
  const PathScratch scratch = {row_.data(), steps_.data()};
  fill_path(query, query_length, window_.data(), genome_length, band, options_.scoring, scratch);
  walk_path(steps_.data(), query_length, genome_length, band,
            [&](int op) { push(cigar_, static_cast<CigarOp>(op), 1); });
  std::reverse(cigar_.begin(), cigar_.end());
}

Path PathTracer::trace(const Alignment& alignment, const TurnedRead& read) {
  Path path;
  std::uint32_t clip_front = alignment.query_begin, clip_back = read.length() - alignment.query_end, skipped = 0;
  if (!trace_straight(alignment, read, path)) {
    path = {};
    skipped = trace_by_programme(alignment, read, clip_front, clip_back, path);
  }
  path.position = static_cast<std::int64_t>(alignment.genome_begin - genome_.contig_begins[alignment.contig] + skipped);
  if (clip_front > 0) path.cigar.insert(path.cigar.begin(), cigar_element(CigarOp::soft_clip, clip_front));
  if (clip_back > 0) path.cigar.push_back(cigar_element(CigarOp::soft_clip, clip_back));
  return path;
}

/// Any alignment. Returns how many genome bases the path leaves out at the front.
std::uint32_t PathTracer::trace_by_programme(const Alignment& alignment, const TurnedRead& read,
                                             std::uint32_t& clip_front, std::uint32_t& clip_back, Path& path) {
  const std::uint8_t* query = read.codes(alignment.reverse) + alignment.query_begin;
  const auto query_length = static_cast<std::int32_t>(alignment.query_end - alignment.query_begin);
  window_.resize(alignment.genome_end - alignment.genome_begin);
  fetch_codes(genome_, alignment.genome_begin, alignment.genome_end, window_.data());
  cigar_.clear();
  if (ungapped(query, query_length, alignment.path_score)) {
    push(cigar_, CigarOp::match, static_cast<std::uint32_t>(query_length));
  } else {
    fill(query, query_length, static_cast<std::int32_t>(window_.size()), alignment.path_score);
  }
  const std::uint32_t skipped = trim_gaps(cigar_, clip_front, clip_back);
  path.cigar = cigar_;
  describe_differences(path, read.codes(alignment.reverse) + clip_front, window_.data() + skipped);
  return skipped;
}

}  // namespace warpseed
