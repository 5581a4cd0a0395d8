#include "align/chain/hit_sorter.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace warpseed::align {

namespace {

constexpr std::size_t few_hits = 40;  // sort_hits() is faster up to this number

/// Orders hits of equal strand and position, which are few and adjacent.
void order_equals(std::span<SeedHit> hits) {
  for (std::size_t i = 1; i < hits.size(); ++i) {
    if (!comes_before(hits[i], hits[i - 1])) continue;
    const SeedHit hit = hits[i];
    std::size_t at = i;
    for (; at > 0 && comes_before(hit, hits[at - 1]); --at) hits[at] = hits[at - 1];
    hits[at] = hit;
  }
}

}  // namespace

void HitSorter::sort_keys() {
  std::uint64_t differing = 0;
  for (const Key& key : keys_) differing |= key.place ^ keys_.front().place;
  spare_keys_.resize(keys_.size());
  for (unsigned shift = 0; shift < 64; shift += 8) {
    if ((differing >> shift & 0xFF) == 0) continue;
    std::array<std::uint32_t, 256> ends{};
    for (const Key& key : keys_) ++ends[key.place >> shift & 0xFF];
    std::uint32_t begin = 0;
    for (std::uint32_t& end : ends) end = std::exchange(begin, begin + end);
    for (const Key& key : keys_) spare_keys_[ends[key.place >> shift & 0xFF]++] = key;
    keys_.swap(spare_keys_);
  }
}

void HitSorter::sort(std::span<SeedHit> hits) {
  if (hits.size() <= few_hits) return sort_hits(hits.data(), static_cast<std::uint32_t>(hits.size()));
  keys_.resize(hits.size());
  for (std::uint32_t i = 0; i < hits.size(); ++i) {
    keys_[i] = {hits[i].genome_begin | std::uint64_t{hits[i].reverse} << 63, i};
  }
  sort_keys();
  sorted_.resize(hits.size());
  std::transform(keys_.begin(), keys_.end(), sorted_.begin(), [&](const Key& key) { return hits[key.hit]; });
  order_equals(sorted_);
  std::copy(sorted_.begin(), sorted_.end(), hits.begin());
}

}  // namespace warpseed::align
