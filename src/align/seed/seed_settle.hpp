// Settling a read: an alignment with few differences limits the search to what may come near it.
#pragma once

#include <cstdint>

#include "align/chain/diagonal_core.hpp"
#include "align/seed/seed_search.hpp"
#include "align/seed/settled_core.hpp"
#include "text/genome_core.hpp"

namespace warpseed::align {

/// Is the search limited to matches long enough for alignments nearly as good as one that is known?
WS_HD inline bool is_settled(const SeedSearch& search) {
  return search.aside->stride > 1;
}

/// Settles the read if it has few differences on the diagonal of the current match. Attempts that are a quarter of the
/// length that matters apart find three quarters of every match of that length.
WS_HD inline void settle(const SeedText& text, const SeedRules& rules, SeedSearch& search) {
  const Seed& match = search.match;
  if (match.position == text::no_text_pos || match.position < match.begin) return;
  const TextPos begin = match.position - match.begin;
  const std::uint64_t segment = text::segment_at(text.genome, match.position);
  const std::uint32_t length = search.read.length();
  if (begin < text.genome.segments[segment].text_begin || begin + length > text.genome.separator_of(segment)) return;
  const GenomePos at = text.genome.segments[segment].genome_begin;
  if (rules.alt_contigs.size > 0 && is_alt_contig(rules.alt_contigs, text::contig_at(text.genome, at))) return;
  const std::uint32_t edits = count_differences(search.read, text.genome.text, begin);
  const std::uint32_t length_that_matters = settled_length(length, edits, rules.rival_edits);
  if (length_that_matters <= rules.min_length) return;
  const std::uint32_t most_of_it = length_that_matters - length_that_matters / 4;
  search.aside->min_length = most_of_it > rules.min_length ? most_of_it : rules.min_length;
  search.aside->common_rows = match.rows.count() == 1 ? text.fm.row_count() : rules.used_rows;
  search.aside->stride = length_that_matters - search.aside->min_length + 1;
  search.aside->probe = probe_distance(rules, text.fm.kmer_length, search.aside->min_length);
  if (match.end < length) return;
  search.aside->scouted = match, search.aside->scouted_reverse = search.reverse;
  if (match.rows.count() > 1) search.aside->scouted.position = text::no_text_pos;
}

}  // namespace warpseed::align
