#include "align/pipeline/read_aligner.hpp"

#include <algorithm>
#include <bit>

#include "align/select/genome_tiles.hpp"

namespace warpseed::align {

DiagonalStretch ReadAligner::stretch_of(const SeedHit& hit, std::uint32_t length) const {
  return stretch_on_diagonal(length, hit.query_begin, genome_, hit.genome_begin);
}

std::int32_t ReadAligner::diagonal_score(const PackedRead& read, const SeedHit& hit) const {
  return align::diagonal_score(read.packed(hit.reverse), stretch_of(hit, read.length()), genome_.text,
                               diagonals_.steps());
}

void ReadAligner::grow(std::span<const Chain> chains, std::span<const SeedHit> hits, ReadAlignments& aligned,
                       std::uint64_t read_number) {
  std::uint32_t most = 0;
  for (const Chain& chain : chains) {
    for (std::uint32_t h = chain.first; h != no_hit; h = hits[h].next) ++most;
  }
  if (grown_.size() < most) grown_.resize(most), origins_.resize(most), order_.resize(most);
  GrownAlignments grown = {grown_.data(), origins_.data(), 0};
  const auto ungapped_score = [&](std::uint32_t h) { return diagonal_score(aligned.read, hits[h]); };
  const GapLimits limits = gap_limits(chains.front(), aligned.read.length(), options_);
  for (const Chain& chain : chains) {
    const auto extended = [&](std::uint32_t h, bool) { return extender_.extend(aligned.read, hits[h], limits); };
    grow_chain(chain, hits.data(), order_.data(), read_number, options_.band, ungapped_score, extended, grown);
  }
  aligned.alignments.assign(grown.alignments, grown.alignments + grown.count);
}

void ReadAligner::align_hits(std::span<SeedHit> hits, ReadAlignments& aligned, std::uint64_t read_number) {
  aligned.alignments.clear();
  if (hits.empty()) return;
  const std::uint32_t length = aligned.read.length();
  const auto hit_count = static_cast<std::uint32_t>(hits.size());
  if (chains_.size() < hits.size()) chains_.resize(hits.size());
  hit_sorter_.sort(hits);
  const std::uint32_t built = build_chains(hits.data(), 0, hit_count, length, options_.band, chains_.data());
  for (std::uint32_t c = 0; c < built; ++c) chains_[c].alt = options_.is_alt(chains_[c].contig);
  const auto score_of = [&](const Chain& chain) {
    return expected_score(chain, hits.data(), options_.scoring,
                          [&](const SeedHit& hit) { return diagonal_score(aligned.read, hit); });
  };
  const auto coming = [&](const Chain& chain) {
    const DiagonalStretch stretch = stretch_of(hits[chain.first], length);
    prefetch(&genome_.text.words[stretch.position / 32]);
    prefetch(&genome_.text.words[(stretch.position + stretch.end - stretch.begin) / 32]);
  };
  const std::uint32_t kept = filter_chains(chains_.data(), built, length, options_, score_of, coming);
  times_.end(AlignStage::chains);
  grow(std::span(chains_).first(kept), hits, aligned, read_number);
  rank(aligned, read_number);
  times_.end(AlignStage::extension);
}

void ReadAligner::align(std::span<ReadAlignments> group, std::uint64_t first_number) {
  seeder_.find(group, times_);
  for (std::size_t i = 0; i < group.size(); ++i) align_hits(seeder_.hits(i), group[i], first_number + i);
}

void ReadAligner::rank(ReadAlignments& aligned, std::uint64_t read_number) const {
  const auto count = static_cast<std::uint32_t>(aligned.alignments.size());
  Alignment* const alignments = aligned.alignments.data();
  constexpr std::uint32_t few = 8;  // are sooner compared with each other
  const std::uint32_t kept = count <= few
                                 ? rank_alignments(alignments, count, read_number)
                                 : rank_alignments(alignments, count, read_number, GenomeTiles(aligned.alignments));
  aligned.alignments.resize(kept);
  mark_competitors(aligned.alignments.data(), kept, aligned.read.length(), options_.scoring);
}

const WordTable& ReadAligner::words_of(const PackedRead& mate, bool reversed) {
  const std::size_t strand = reversed ? 1 : 0;
  if (words_filled_[strand]) return words_[strand];
  std::vector<WordSlot>& slots = word_slots_[strand];
  slots.resize(std::bit_ceil(std::max(2 * mate.length(), 2U)));
  words_[strand] = {slots.data(), static_cast<std::uint32_t>(slots.size())};
  fill_table(words_[strand], mate.codes(reversed), mate.length());
  words_filled_[strand] = true;
  return words_[strand];
}

bool ReadAligner::rescue(const Alignment& anchor, std::uint32_t anchor_length, ReadAlignments& mate,
                         std::uint64_t mate_number, Orientation seen, const InsertSizeRange& range) {
  const std::uint32_t length = mate.read.length();
  const auto [begin, end] =
      mate_window(anchor, anchor_length, length, seen, range, range_of_contig(genome_, anchor.contig));
  if (end < begin + options_.min_seed || length < options_.min_seed) return false;
  const bool reversed = anchor.reverse != on_opposite_strands(seen);
  const std::uint8_t* codes = mate.read.codes(reversed);
  const auto window_length = static_cast<std::uint32_t>(end - begin);
  rescue_window_.resize(window_length);
  text::fetch_codes(genome_, begin, end, rescue_window_.data());
  votes_.resize(window_length + length);
  count_votes(words_of(mate.read, reversed), length, rescue_window_.data(), window_length, votes_.data());

  const auto diagonals = static_cast<std::uint32_t>(votes_.size());
  std::uint32_t least = 1;
  bool added = false;
  for (std::uint32_t i = 0; i < max_rescue_diagonals; ++i) {
    const std::uint32_t best = best_diagonal(votes_.data(), diagonals);
    if (votes_[best] < least) break;
    if (i == 0) least = min_votes(votes_[best]);
    const ExactRun run = longest_run(codes, length, rescue_window_.data(), window_length, best);
    const SeedHit hit = rescued_hit(run, begin, anchor.contig, reversed);
    const LocalAlignment found =
        rescued_alignment(extender_.extend(mate.read, hit, {options_.band}), mate_number, options_);
    if (passes_min_score(found, options_)) mate.alignments.emplace_back(found), added = true;
    clear_votes(votes_.data(), diagonals, best, diagonal_width(length));
  }
  return added;
}

}  // namespace warpseed::align
