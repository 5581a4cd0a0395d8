#include "align/record/path.hpp"

#include <algorithm>

#include "align/record/difference_tags.hpp"
#include "align/record/path_core.hpp"
#include "align/record/reported_path_core.hpp"

namespace warpseed::align {

namespace {

constexpr records::CigarElement soft_clip(std::uint32_t bases) {
  return records::cigar_element(records::CigarOp::soft_clip, bases);
}

}  // namespace

/// Adds what the options ask for. query_begin: of the path, whose first genome base is the alignment's after `skipped`.
void PathTracer::add_requested(Path& path, const LocalAlignment& alignment, const PackedRead& read,
                               std::uint32_t query_begin, std::uint32_t skipped) {
  if (options_.cs == CsTag::none && !options_.ds && !options_.eqx) return;
  const std::int64_t bases = records::reference_span(path.cigar);
  const GenomePos begin = alignment.genome_begin + skipped;
  window_.resize(static_cast<std::size_t>(bases));
  text::fetch_codes(genome_, begin, begin + window_.size(), window_.data());
  const AlignedCodes codes = {{read.codes(alignment.reverse) + query_begin, read.length() - query_begin}, window_};
  if (options_.cs != CsTag::none) path.differences = cs_text(path.cigar, codes, options_.cs);
  if (options_.ds) path.ambiguous_differences = ds_text(path.cigar, codes);
  if (options_.eqx) path.cigar = with_mismatches(path.cigar, codes);
}

/// The ungapped path, from packed words. Returns false if the genome has an N there, or if gaps score better.
bool PathTracer::trace_ungapped(const LocalAlignment& alignment, const PackedRead& read) {
  const TextPos location = diagonal_of(alignment, genome_);
  if (location == text::no_text_pos) return false;
  const auto differ = [&](std::uint32_t i) { differences_.push_back(difference(i, genome_.text[location + i])); };
  const std::int32_t score =
      ungapped_path_score(read.packed(alignment.reverse), alignment.query_begin, genome_.text, location,
                          alignment.query_end - alignment.query_begin, options_.scoring, differ);
  return score >= alignment.path_score;
}

void PathTracer::fill(const std::uint8_t* query, std::int32_t query_length, std::int32_t genome_length,
                      std::int32_t score) {
  const std::int32_t band = path_band(query_length, genome_length, score, options_);
  row_.resize(static_cast<std::size_t>(query_length) + 1);
  steps_.resize(static_cast<std::size_t>(genome_length) * (2 * static_cast<std::size_t>(band) + 1));
  const PathScratch<PathCell*, std::uint8_t*> scratch = {row_.data(), steps_.data()};
  const std::uint8_t* const genome = window_.data();
  fill_path(query, query_length, genome, genome_length, band, options_.scoring, scratch);
  walk_path(steps_.data(), query_length, genome_length, band,
            [&](int op) { records::append(cigar_, static_cast<records::CigarOp>(op), 1); });
  std::reverse(cigar_.begin(), cigar_.end());
}

Path PathTracer::trace(const LocalAlignment& alignment, const PackedRead& read,
                       const std::optional<PrecomputedCigar>& known) {
  const PrecomputedCigar found = known ? *known : find_path(alignment, read);
  std::vector<records::CigarElement> ungapped;
  if (found.cigar.empty())
    records::append(ungapped, records::CigarOp::match, alignment.query_end - alignment.query_begin);
  const std::span<const records::CigarElement> elements = found.cigar.empty() ? ungapped : found.cigar;
  const auto reported = reported_path(View(elements), static_cast<std::uint32_t>(elements.size()),
                                      alignment.query_begin, read.length() - alignment.query_end);
  Path path;
  path.edit_distance = edit_distance(reported, found.differences);
  put_mismatches(reported, found.differences, [&](char character) { path.mismatches += character; });
  path.cigar.assign(elements.begin() + reported.begin, elements.begin() + reported.end);
  add_requested(path, alignment, read, reported.clip_front, reported.skipped);
  path.position =
      static_cast<std::int64_t>(alignment.genome_begin - genome_.contig_begins[alignment.contig]) + reported.skipped;
  if (reported.clip_front > 0) path.cigar.insert(path.cigar.begin(), soft_clip(reported.clip_front));
  if (reported.clip_back > 0) path.cigar.push_back(soft_clip(reported.clip_back));
  return path;
}

Path PathTracer::trace(const LongAlignment& alignment, const PackedRead& read) {
  return trace(alignment, read, PrecomputedCigar{alignment.cigar, alignment.differences});
}

PrecomputedCigar PathTracer::find_path(const LocalAlignment& alignment, const PackedRead& read) {
  cigar_.clear(), differences_.clear();
  if (!trace_ungapped(alignment, read)) {
    differences_.clear();
    trace_by_codes(alignment, read);
  }
  return {cigar_, differences_};
}

/// Any alignment, also across an N.
void PathTracer::trace_by_codes(const LocalAlignment& alignment, const PackedRead& read) {
  const std::uint8_t* query = read.codes(alignment.reverse) + alignment.query_begin;
  const auto query_length = static_cast<std::int32_t>(alignment.query_end - alignment.query_begin);
  window_.resize(alignment.genome_end - alignment.genome_begin);
  text::fetch_codes(genome_, alignment.genome_begin, alignment.genome_end, window_.data());
  const auto genome_length = static_cast<std::int32_t>(window_.size());
  if (query_length == genome_length &&
      ungapped_path_score(query, window_.data(), query_length, options_.scoring) >= alignment.path_score) {
    records::append(cigar_, records::CigarOp::match, static_cast<std::uint32_t>(query_length));
  } else {
    fill(query, query_length, genome_length, alignment.path_score);
  }
  for_each_difference(
      static_cast<std::uint32_t>(cigar_.size()), [&](std::uint32_t i) { return cigar_[i]; }, query, window_.data(),
      [&](Difference one) { differences_.push_back(one); });
}

}  // namespace warpseed::align
