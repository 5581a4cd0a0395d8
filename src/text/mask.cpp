#include "text/mask.hpp"

#include <algorithm>
#include <stdexcept>

namespace warpseed::text {

namespace {

/// The intervals of all contigs in one array, in genome positions.
std::vector<Interval> in_genome(const GenomeView& genome, std::span<const std::vector<Interval>> per_contig) {
  if (per_contig.size() != genome.contig_count()) throw std::invalid_argument("masked: one list of intervals a contig");
  std::vector<Interval> all;
  for (std::uint64_t contig = 0; contig < per_contig.size(); ++contig) {
    const GenomePos begin = genome.contig_begins[contig], size = genome.contig_begins[contig + 1] - begin;
    std::uint64_t done = 0;
    for (const Interval& interval : per_contig[contig]) {
      if (interval.begin < done || interval.end < interval.begin || interval.end > size)
        throw std::invalid_argument("masked: intervals must be in order, disjoint and within their contig");
      done = interval.end;
      if (interval.begin < interval.end) all.push_back({begin + interval.begin, begin + interval.end});
    }
  }
  return all;
}

/// A text that is built from pieces of another one.
class TextCopy {
 public:
  TextCopy(const PackedView& from, std::vector<std::uint64_t>& words) : from_(from), words_(words) {
    words_.reserve(from.size / 32 + 2);
  }

  std::uint64_t size() const { return size_; }

  /// Appends symbols [begin, end) of the other text, and a separator.
  void add_segment(TextPos begin, TextPos end) {
    for (; end - begin >= 32; begin += 32) push(from_.window(begin), 32);
    const auto rest = static_cast<unsigned>(end - begin);
    if (rest > 0) push(from_.window(begin) & ~(~std::uint64_t{0} >> 2 * rest), rest);
    push(0, 1);
  }

 private:
  /// symbols: the first one in the highest bits, zeros after the last; 1 <= count <= 32.
  void push(std::uint64_t symbols, unsigned count) {
    const auto filled = static_cast<unsigned>(size_ % 32);
    size_ += count;
    if (filled == 0) {
      words_.push_back(symbols);
      return;
    }
    words_.back() |= symbols >> 2 * filled;
    if (filled + count > 32) words_.push_back(symbols << 2 * (32 - filled));
  }

  PackedView from_;
  std::vector<std::uint64_t>& words_;
  std::uint64_t size_ = 0;
};

}  // namespace

Genome masked(const GenomeView& genome, std::span<const std::vector<Interval>> per_contig) {
  const std::vector<Interval> masks = in_genome(genome, per_contig);
  Genome result{std::vector<std::string>(genome.contig_count()),
                std::vector<std::uint64_t>(genome.contig_begins.begin(), genome.contig_begins.end()),
                {},
                {}};
  TextCopy text(genome.text, result.words);
  auto mask = masks.begin();
  for (std::uint64_t i = 0; i < genome.segment_count(); ++i) {
    const Segment& segment = genome.segments[i];
    const GenomePos end = segment.genome_begin + genome.segment_length(i);
    const auto keep = [&](GenomePos from, GenomePos to) {
      if (from >= to) return;
      result.segments.push_back({text.size(), from});
      text.add_segment(segment.text_begin + (from - segment.genome_begin),
                       segment.text_begin + (to - segment.genome_begin));
    };
    GenomePos at = segment.genome_begin;
    while (mask != masks.end() && mask->end <= at) ++mask;
    for (; mask != masks.end() && mask->begin < end; ++mask) {
      keep(at, std::min(mask->begin, end));
      at = std::max(at, mask->end);
      if (mask->end > end) break;  // it extends into the next segment
    }
    keep(at, end);
  }
  result.segments.push_back({text.size(), genome.contig_begins[genome.contig_count()]});
  result.words.resize(text.size() / 32 + 2);
  return result;
}

}  // namespace warpseed::text
