#include "align/report/read_profile.hpp"

#include <algorithm>
#include <span>
#include <string_view>

#include "reads/simd_bases.hpp"
#include "text/alphabet.hpp"

namespace warpseed::align {

namespace {

/// Of the four bases, in either case, bit 1 of the character is set for C and G alone. Vectorises.
std::uint64_t count_gc(std::string_view acgt) {
  std::uint64_t count = 0;
  for (const char letter : acgt) count += static_cast<unsigned>(letter) >> 1 & 1;
  return count;
}

/// The smallest quality that `part` of `whole` quarters of the bases do not exceed.
unsigned quantile(std::span<const std::uint64_t> counts, std::uint64_t bases, unsigned quarters) {
  std::uint64_t seen = 0;
  for (unsigned quality = 0; quality < counts.size(); ++quality) {
    seen += counts[quality];
    if (4 * seen >= quarters * bases) return quality;
  }
  return 0;
}

QualityPoint point_of(std::span<const std::uint64_t> counts) {
  QualityPoint point;
  std::uint64_t sum = 0;
  for (std::uint64_t quality = 0; quality < counts.size(); ++quality) {
    point.bases += counts[quality];
    sum += quality * counts[quality];
  }
  if (point.bases == 0) return point;
  point.mean = static_cast<double>(sum) / static_cast<double>(point.bases);
  point.lower_quartile = quantile(counts, point.bases, 1);
  point.median = quantile(counts, point.bases, 2);
  point.upper_quartile = quantile(counts, point.bases, 3);
  return point;
}

}  // namespace

void ReadProfile::add(const reads::ReadView& read, bool by_position) {
  ++reads;
  bases += read.bases.size();
  add_gc(read.bases);
  if (!by_position) return;
  const std::size_t size = std::min(read.qualities.size(), max_positions);
  if (qualities_.size() < size * quality_count) qualities_.resize(size * quality_count);
  std::uint64_t* counts = qualities_.data();
  for (std::size_t i = 0; i < size; ++i, counts += quality_count) {
    const auto quality = static_cast<std::size_t>(read.qualities[i] - '!');
    ++counts[std::min(quality, quality_count - 1)];
  }
}

/// A read without A, C, G and T has no GC content.
void ReadProfile::add_gc(std::string_view sequence) {
  std::uint64_t all = sequence.size(), gc = 0;
  if (reads::only_acgt(sequence)) {
    gc = count_gc(sequence);
  } else {
    all = 0;
    for (const char letter : sequence) {
      const std::uint8_t code = text::code_of_base(letter);
      all += code < text::code_n;
      gc += code == 1 || code == 2;
    }
  }
  if (all == 0) return;
  // The axis has 101 * (all + 1) units: a share of the histogram is all + 1 of them wide, one of the read's 101.
  const std::uint64_t wide = all + 1;
  for (std::uint64_t at = gc_.size() * gc, end = at + gc_.size(); at < end;) {
    const std::uint64_t stop = std::min(end, (at / wide + 1) * wide);
    gc_[at / wide] += stop - at;
    at = stop;
  }
}

std::array<std::uint64_t, 101> ReadProfile::gc_percent() const {
  std::array<std::uint64_t, 101> percent{};
  for (std::size_t i = 0; i < gc_.size(); ++i) percent[i] = (gc_[i] + gc_.size() / 2) / gc_.size();
  return percent;
}

ReadProfile& ReadProfile::operator+=(const ReadProfile& other) {
  reads += other.reads, bases += other.bases;
  for (std::size_t i = 0; i < gc_.size(); ++i) gc_[i] += other.gc_[i];
  qualities_.resize(std::max(qualities_.size(), other.qualities_.size()));
  for (std::size_t i = 0; i < other.qualities_.size(); ++i) qualities_[i] += other.qualities_[i];
  return *this;
}

std::vector<QualityPoint> ReadProfile::qualities() const {
  std::vector<QualityPoint> points(qualities_.size() / quality_count);
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i] = point_of(std::span(qualities_).subspan(i * quality_count, quality_count));
  }
  return points;
}

}  // namespace warpseed::align
