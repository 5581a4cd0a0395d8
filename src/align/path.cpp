#include "align/path.hpp"

#include <algorithm>

#include "align/path_core.hpp"

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

}  // namespace

/// Without gaps, from packed words: false if the genome has an N there, or if gaps score better.
bool PathTracer::trace_straight(const Alignment& alignment, const TurnedRead& read, Path& path) const {
  const TextPos place = diagonal_of(alignment, genome_);
  if (place == no_diagonal) return false;
  const std::uint32_t length = alignment.query_end - alignment.query_begin;
  std::uint32_t same_from = 0;
  const auto differ = [&](std::uint32_t i) {
    path.mismatches += std::to_string(i - same_from);
    path.mismatches += letter_of_code(genome_.text[place + i]);
    same_from = i + 1;
    ++path.edit_distance;
  };
  const std::int32_t score = straight_score(read.packed(alignment.reverse), alignment.query_begin, genome_.text, place,
                                            length, options_.scoring, differ);
  path.mismatches += std::to_string(length - same_from);
  path.cigar = {cigar_element(CigarOp::match, length)};
  return score >= alignment.path_score;
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
  const PathScratch<PathCell*, std::uint8_t*> scratch = {row_.data(), steps_.data()};
  const std::uint8_t* const genome = window_.data();
  fill_path(query, query_length, genome, genome_length, band, options_.scoring, scratch);
  walk_path(steps_.data(), query_length, genome_length, band,
            [&](int op) { push(cigar_, static_cast<CigarOp>(op), 1); });
  std::reverse(cigar_.begin(), cigar_.end());
}

Path PathTracer::trace(const Alignment& alignment, const TurnedRead& read, std::span<const CigarElement> known) {
  Path path;
  std::uint32_t clip_front = alignment.query_begin, clip_back = read.length() - alignment.query_end, skipped = 0;
  if (!known.empty() || !trace_straight(alignment, read, path)) {
    path = {};
    skipped = trace_by_codes(alignment, read, known, clip_front, clip_back, path);
  }
  path.position = static_cast<std::int64_t>(alignment.genome_begin - genome_.contig_begins[alignment.contig] + skipped);
  if (clip_front > 0) path.cigar.insert(path.cigar.begin(), cigar_element(CigarOp::soft_clip, clip_front));
  if (clip_back > 0) path.cigar.push_back(cigar_element(CigarOp::soft_clip, clip_back));
  return path;
}

/// Any alignment. Returns how many genome bases the path leaves out at the front.
std::uint32_t PathTracer::trace_by_codes(const Alignment& alignment, const TurnedRead& read,
                                         std::span<const CigarElement> known, std::uint32_t& clip_front,
                                         std::uint32_t& clip_back, Path& path) {
  const std::uint8_t* query = read.codes(alignment.reverse) + alignment.query_begin;
  const auto query_length = static_cast<std::int32_t>(alignment.query_end - alignment.query_begin);
  window_.resize(alignment.genome_end - alignment.genome_begin);
  fetch_codes(genome_, alignment.genome_begin, alignment.genome_end, window_.data());
  cigar_.clear();
  if (ungapped(query, query_length, alignment.path_score)) {  // over an N
    push(cigar_, CigarOp::match, static_cast<std::uint32_t>(query_length));
  } else if (!known.empty()) {
    cigar_.assign(known.begin(), known.end());
  } else {
    fill(query, query_length, static_cast<std::int32_t>(window_.size()), alignment.path_score);
  }
  const std::uint32_t skipped = trim_gaps(cigar_, clip_front, clip_back);
  path.cigar = cigar_;
  describe_differences(path, read.codes(alignment.reverse) + clip_front, window_.data() + skipped);
  return skipped;
}

}  // namespace warpseed
