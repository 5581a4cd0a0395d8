#include "align/report/reference_layout.hpp"

#include <algorithm>

namespace warpseed::align {

namespace {

/// Coverage takes an eighth of a byte a base: what a damaged file can ask for has a limit. The largest genome known has
/// 1.6e11 bases.
constexpr std::uint64_t most_bases = std::uint64_t{1} << 40;

bool are_contigs_valid(const std::vector<std::uint64_t>& begins) {
  const auto not_before = [](std::uint64_t begin, std::uint64_t next) { return begin >= next; };
  return !begins.empty() && begins.front() == 0 && begins.back() <= most_bases &&
         std::ranges::adjacent_find(begins, not_before) == begins.end();
}

}  // namespace

ReferenceLayout::ReferenceLayout(const index::Index& index) {
  const text::GenomeView& genome = index.genome();
  for (std::uint64_t i = 0; i < index.contig_count(); ++i) contig_names.emplace_back(index.contig_name(i));
  contig_begins.assign(genome.contig_begins.data, genome.contig_begins.data + genome.contig_begins.size);
  segments.assign(genome.segments.data, genome.segments.data + genome.segments.size);
}

bool ReferenceLayout::is_valid() const {
  if (!are_contigs_valid(contig_begins) || contig_names.size() + 1 != contig_begins.size()) return false;
  if (segments.empty() || segments.back().genome_begin != contig_begins.back()) return false;
  std::size_t contig = 0;  // whose end is not before that of the segment
  for (std::size_t i = 0; i + 1 < segments.size(); ++i) {
    const text::Segment &segment = segments[i], &next = segments[i + 1];
    if (segment.text_begin >= next.text_begin || segment.genome_begin >= next.genome_begin) return false;
    const std::uint64_t length = next.text_begin - segment.text_begin - 1;
    if (length > next.genome_begin - segment.genome_begin) return false;
    while (contig_begins[contig + 1] < segment.genome_begin + length) ++contig;
    if (segment.genome_begin < contig_begins[contig]) return false;
  }
  return true;
}

}  // namespace warpseed::align
