#include "align/report/coverage_map.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cassert>

namespace warpseed::align {

namespace {

constexpr std::uint64_t all_bits = ~std::uint64_t{0};

std::uint64_t windows_of(std::uint64_t length, std::uint64_t window_bases) {
  return (length + window_bases - 1) / window_bases;
}

std::vector<std::uint64_t> first_windows(const text::GenomeView& genome, std::uint64_t window_bases) {
  std::vector<std::uint64_t> first = {0};
  for (std::uint64_t i = 0; i < genome.contig_count(); ++i) {
    first.push_back(first.back() + windows_of(genome.contig_begins[i + 1] - genome.contig_begins[i], window_bases));
  }
  return first;
}

std::uint64_t choose_window_bases(const text::GenomeView& genome, std::uint64_t most_windows) {
  const std::uint64_t most = std::max(most_windows, genome.contig_count() + most_windows / 2);
  for (std::uint64_t ten = 1;; ten *= 10) {
    for (const std::uint64_t factor : {1U, 2U, 5U}) {
      if (first_windows(genome, factor * ten).back() <= most) return factor * ten;
    }
  }
}

/// Calls use(word, bits) for every word of a bitmap that [begin, end) touches, with the bits that it touches.
template <class Use>
void for_each_word(GenomePos begin, GenomePos end, const Use& use) {
  while (begin < end) {
    const GenomePos stop = std::min(end, (begin / 64 + 1) * 64);
    use(begin / 64, all_bits << begin % 64 & all_bits >> (63 - (stop - 1) % 64));
    begin = stop;
  }
}

}  // namespace

CoverageMap::CoverageMap(const text::GenomeView& genome, std::uint64_t most_windows)
    : genome_(genome),
      window_bases_(choose_window_bases(genome, most_windows)),
      first_windows_(first_windows(genome, window_bases_)),
      covered_(genome.contig_begins[genome.contig_count()] / 64 + 1) {}

void CoverageMap::add(std::int32_t contig_number, std::int64_t position, std::span<const records::CigarElement> cigar,
                      std::span<std::uint64_t> aligned_bases) {
  assert(aligned_bases.size() == window_count());
  const auto contig = static_cast<std::uint64_t>(contig_number);
  const GenomePos contig_begin = genome_.contig_begins[contig];
  auto at = static_cast<std::uint64_t>(position);
  for (const records::CigarElement element : cigar) {
    const records::CigarOp op = records::cigar_op(element);
    const std::uint64_t end = at + records::cigar_length(element);
    if (op == records::CigarOp::deletion) at = end;
    if (!records::is_aligned_pair(op)) continue;
    cover(contig_begin + at, contig_begin + end);
    while (at < end) {
      const std::uint64_t window = at / window_bases_, stop = std::min(end, (window + 1) * window_bases_);
      aligned_bases[first_windows_[contig] + window] += stop - at;
      at = stop;
    }
  }
}

void CoverageMap::cover(GenomePos begin, GenomePos end) {
  for_each_word(begin, end, [&](std::uint64_t word, std::uint64_t bits) {
    const std::atomic_ref shared(covered_[word]);
    // At some depth nearly all bits are set, and a word that is only read stays in every core's cache.
    if ((shared.load(std::memory_order_relaxed) & bits) != bits) shared.fetch_or(bits, std::memory_order_relaxed);
  });
}

std::uint64_t CoverageMap::count_covered(GenomePos begin, GenomePos end) const {
  std::uint64_t count = 0;
  for_each_word(begin, end, [&](std::uint64_t word, std::uint64_t bits) {
    count += static_cast<std::uint64_t>(std::popcount(covered_[word] & bits));
  });
  return count;
}

std::vector<CoverageWindow> CoverageMap::windows(std::span<const std::uint64_t> aligned_bases) const {
  std::vector<CoverageWindow> windows(window_count());
  for (std::uint64_t contig = 0; contig < contig_count(); ++contig) {
    const std::uint64_t length = genome_.contig_begins[contig + 1] - genome_.contig_begins[contig];
    for (std::uint64_t i = first_windows_[contig]; i < first_windows_[contig + 1]; ++i) {
      const std::uint64_t begin = (i - first_windows_[contig]) * window_bases_;
      windows[i].contig = static_cast<std::uint32_t>(contig);
      windows[i].begin = begin, windows[i].end = std::min(length, begin + window_bases_);
      if (!aligned_bases.empty()) windows[i].aligned_bases = aligned_bases[i];
    }
  }
  for (std::uint64_t segment = 0; segment < genome_.segment_count(); ++segment) {
    GenomePos at = genome_.segments[segment].genome_begin;
    const GenomePos end = at + genome_.segment_length(segment);
    const std::uint64_t contig = text::contig_at(genome_, at);
    while (at < end) {
      const std::uint64_t offset = at - genome_.contig_begins[contig];
      CoverageWindow& window = windows[first_windows_[contig] + offset / window_bases_];
      const GenomePos stop = std::min(end, genome_.contig_begins[contig] + window.end);
      window.known_bases += stop - at;
      window.covered_bases += count_covered(at, stop);
      at = stop;
    }
  }
  return windows;
}

std::vector<CoverageWindow> by_contig(std::span<const CoverageWindow> windows) {
  std::vector<CoverageWindow> contigs;
  for (const CoverageWindow& window : windows) {
    if (contigs.empty() || contigs.back().contig != window.contig) {
      contigs.push_back({window.contig, 0, window.end, 0, 0, 0});
    }
    contigs.back() += window;
    contigs.back().end = window.end;
  }
  return contigs;
}

}  // namespace warpseed::align
