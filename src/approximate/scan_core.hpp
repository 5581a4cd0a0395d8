// The scan of a text for short patterns with mismatches, shared by both backends.
//
// A stretch of text in which a pattern has at most K mismatches agrees with it in one of K + 1 parts. The first bases of
// each part are its key; a table has the patterns of each key, and a stretch is compared with those of its own keys only.
// Patterns of one length whose exact ends are the same are a shape: stretches that differ from these ends are passed over.
#pragma once

#include <cstdint>

#include "approximate/verify_core.hpp"
#include "core/bits.hpp"
#include "core/host_device.hpp"
#include "core/view.hpp"

namespace warpseed::approximate {

constexpr std::uint32_t max_scan_length = 32;  // bases of a pattern, a bit each in a word

/// Bits of the bases [begin, end) of a stretch; base j is bit 31 - j.
WS_HD constexpr std::uint32_t stretch_bits(std::uint32_t begin, std::uint32_t end) {
  const std::uint64_t all = std::uint64_t{1} << 32;
  return static_cast<std::uint32_t>((all >> begin) - (all >> end));
}

/// A mask for each base: of the stretch's positions that are this base, or of a pattern's that can be.
struct BaseMasks {
  std::uint32_t of[4] = {};

  /// The positions at which both can be the same.
  WS_HD std::uint32_t common(const BaseMasks& other) const {
    return (of[0] & other.of[0]) | (of[1] & other.of[1]) | (of[2] & other.of[2]) | (of[3] & other.of[3]);
  }
};

/// Bits 62, 60, ... 0 of a word, moved together.
WS_HD inline std::uint32_t even_bits(std::uint64_t word) {
  word &= 0x5555555555555555ULL;
  word = (word | word >> 1) & 0x3333333333333333ULL;
  word = (word | word >> 2) & 0x0F0F0F0F0F0F0F0FULL;
  word = (word | word >> 4) & 0x00FF00FF00FF00FFULL;
  word = (word | word >> 8) & 0x0000FFFF0000FFFFULL;
  return static_cast<std::uint32_t>(word | word >> 16);
}

/// The masks of 32 packed bases.
WS_HD inline BaseMasks masks_of_window(std::uint64_t window) {
  const std::uint32_t low = even_bits(window), high = even_bits(window >> 1);
  return {{~high & ~low, ~high & low, high & ~low, high & low}};
}

/// Patterns of one length with the same exact ends.
struct ScanShape {
  std::uint32_t length = 0;
  std::uint32_t exact = 0;                      // bits of the bases that are to match
  BaseMasks exact_bases;                        // what they can be
  std::uint32_t key_bases = 0;                  // of each part
  std::uint32_t key_begins[max_parts] = {};     // of each part
  std::uint32_t first_buckets[max_parts] = {};  // of each part: that of key 0

  WS_HD bool matches_exact_ends(const BaseMasks& stretch) const { return (exact & ~stretch.common(exact_bases)) == 0; }
  /// The key of a part, from the stretch's 32 packed bases.
  WS_HD std::uint32_t bucket(std::uint32_t part, std::uint64_t window) const {
    return first_buckets[part] + static_cast<std::uint32_t>(window << 2 * key_begins[part] >> (64 - 2 * key_bases));
  }
  WS_HD std::uint32_t key_bits(std::uint32_t part) const {
    return stretch_bits(key_begins[part], key_begins[part] + key_bases);
  }
};

/// The table of a scan; owns nothing, passed to kernels by value. An entry is a pattern in the bucket of one of its keys.
struct ScanView {
  View<ScanShape> shapes;
  View<std::uint32_t> bucket_begins;  // [buckets + 1] entries of each bucket
  View<BaseMasks> masks;              // [entries] of its pattern
  View<std::uint32_t> patterns;       // [entries] number in the StrandBatch
  std::uint32_t differences = 0;

  /// The mismatches of an entry of a part's bucket with a stretch of text, if they are at most `differences` and if no
  /// part before this one has the same key; else differences + 1.
  WS_HD std::uint32_t mismatches(const ScanShape& shape, std::uint32_t part, const BaseMasks& entry,
                                 const BaseMasks& stretch) const {
    const std::uint32_t differ = stretch_bits(0, shape.length) & ~stretch.common(entry);
    const std::uint32_t count = count_ones(differ);
    if (count > differences) return differences + 1;
    for (std::uint32_t before = 0; before < part; ++before) {
      if ((differ & shape.key_bits(before)) == 0) return differences + 1;
    }
    return count;
  }
};

}  // namespace warpseed::approximate
