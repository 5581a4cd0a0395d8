#include "approximate/text_scan.hpp"

#include <algorithm>

#include "core/parallel.hpp"

namespace warpseed::approximate {

namespace {

constexpr std::uint64_t block_positions = 1 << 18;
constexpr unsigned word_positions = 64;

/// For each base, which of 96 positions of the text have it: position j is bit 63 - j of `first`, or bit 127 - j of `rest`.
struct BasePlanes {
  std::uint64_t first[4] = {}, rest[4] = {};

  BasePlanes(const text::PackedView& text, TextPos begin) {
    const BaseMasks left = masks_at(text, begin), middle = masks_at(text, begin + 32),
                    right = masks_at(text, begin + 64);
    for (unsigned base = 0; base < 4; ++base) {
      first[base] = std::uint64_t{left.of[base]} << 32 | middle.of[base];
      rest[base] = std::uint64_t{right.of[base]} << 32;
    }
  }

  /// The 64 positions from j < 64 on.
  std::uint64_t from(unsigned base, unsigned j) const { return first[base] << j | rest[base] >> 1 >> (63 - j); }

  BaseMasks stretch(unsigned j) const {
    BaseMasks masks;
    for (unsigned base = 0; base < 4; ++base) masks.of[base] = static_cast<std::uint32_t>(from(base, j) >> 32);
    return masks;
  }

 private:
  /// Past the text's end there are zeros.
  static BaseMasks masks_at(const text::PackedView& text, TextPos at) {
    return masks_of_window(at <= text.size ? text.window(at) : 0);
  }
};

/// An exact base of a shape that is not N.
struct ExactBase {
  unsigned at = 0;
  text::BaseSet set = 0;
};

std::vector<ExactBase> exact_bases_of(const ScanShape& shape) {
  std::vector<ExactBase> exact;
  for (unsigned at = 0; at < shape.length; ++at) {
    const std::uint32_t bit = stretch_bits(at, at + 1);
    text::BaseSet set = 0;
    for (unsigned base = 0; base < 4; ++base) {
      if ((shape.exact_bases.of[base] & bit) != 0) set = static_cast<text::BaseSet>(set | 1U << base);
    }
    if ((shape.exact & bit) != 0 && text::set_size(set) < 4) exact.push_back({at, set});
  }
  return exact;
}

/// Of 64 positions, those where a stretch begins that has the exact bases.
std::uint64_t sites_of(const BasePlanes& planes, const std::vector<ExactBase>& exact) {
  std::uint64_t sites = ~std::uint64_t{0};
  for (const ExactBase& each : exact) {
    std::uint64_t allowed = 0;
    for (unsigned base = 0; base < 4; ++base) {
      if (each.set >> base & 1) allowed |= planes.from(base, each.at);
    }
    sites &= allowed;
  }
  return sites;
}

/// Scans some of the text on one thread, 64 positions at a time.
class BlockScan {
 public:
  BlockScan(const text::GenomeView& genome, const ScanView& scan) : genome_(genome), scan_(scan) {
    for (const ScanShape& shape : scan.shapes) exact_.push_back(exact_bases_of(shape));
  }

  /// The occurrences that begin at text positions [begin, end).
  std::vector<FoundEnd> find(TextPos begin, TextPos end) {
    for (std::uint64_t segment = text::segment_at(genome_, begin);
         segment < genome_.segment_count() && genome_.segments[segment].text_begin < end; ++segment) {
      const TextPos segment_end = genome_.separator_of(segment);
      const TextPos first = std::max(begin, genome_.segments[segment].text_begin), last = std::min(end, segment_end);
      for (TextPos at = first; at < last; at += word_positions) scan_word(at, last, segment_end);
    }
    return std::move(found_);
  }

 private:
  /// Scans the positions [begin, begin + 64) that are before `end`.
  void scan_word(TextPos begin, TextPos end, TextPos segment_end) {
    const BasePlanes planes(genome_.text, begin);
    for (std::size_t i = 0; i < exact_.size(); ++i) {
      const ScanShape& shape = scan_.shapes[i];
      const TextPos stop = std::min(end, segment_end < shape.length ? 0 : segment_end - shape.length + 1);
      if (stop <= begin) continue;
      std::uint64_t sites = sites_of(planes, exact_[i]);
      if (stop - begin < word_positions) sites &= ~(~std::uint64_t{0} >> (stop - begin));
      while (sites != 0) {
        const unsigned j = leading_zeros(sites);
        sites &= ~(std::uint64_t{1} << (63 - j));
        compare(shape, begin + j, genome_.text.window(begin + j), planes.stretch(j));
      }
    }
  }

  void compare(const ScanShape& shape, TextPos at, std::uint64_t window, const BaseMasks& stretch) {
    for (std::uint32_t part = 0; part <= scan_.differences; ++part) {
      const std::uint32_t bucket = shape.bucket(part, window), end = scan_.bucket_begins[bucket + 1];
      for (std::uint32_t entry = scan_.bucket_begins[bucket]; entry < end; ++entry) {
        const std::uint32_t mismatches = scan_.mismatches(shape, part, scan_.masks[entry], stretch);
        if (mismatches > scan_.differences) continue;
        found_.push_back({scan_.patterns[entry], {at + shape.length, mismatches}});
      }
    }
  }

  const text::GenomeView& genome_;
  const ScanView& scan_;
  std::vector<std::vector<ExactBase>> exact_;  // [shapes]
  std::vector<FoundEnd> found_;
};

}  // namespace

std::vector<FoundEnd> scan_text(const text::GenomeView& genome, const ScanView& scan, int threads) {
  const std::uint64_t size = genome.text.size;
  std::vector<std::vector<FoundEnd>> by_block(size / block_positions + 1);
  for_blocks(threads, size, block_positions, [&](std::uint64_t begin, std::uint64_t end) {
    by_block[begin / block_positions] = BlockScan(genome, scan).find(begin, end);
  });
  std::vector<FoundEnd> all;
  for (const auto& found : by_block) all.insert(all.end(), found.begin(), found.end());
  return all;
}

}  // namespace warpseed::approximate
