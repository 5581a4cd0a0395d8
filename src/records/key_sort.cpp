#include "records/key_sort.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <span>
#include <utility>

namespace warpseed::records {

namespace {

constexpr int most_digit_bits = 12;  // the counters fit in the first cache

/// What there is to know of keys before they are sorted.
struct Extent {
  std::uint64_t smallest = ~std::uint64_t{0}, largest = 0;
  std::uint32_t largest_number = 0;
  bool in_order = true;
};

Extent extent_of(std::span<const NumberedKey> keys) {
  Extent extent;
  std::uint64_t before = 0;
  for (const NumberedKey& each : keys) {
    extent.in_order &= before <= each.key;
    before = each.key;
    extent.smallest = std::min(extent.smallest, each.key);
    extent.largest = std::max(extent.largest, each.key);
    extent.largest_number = std::max(extent.largest_number, each.number);
  }
  return extent;
}

/// A stable counting sort by the digit of so many bits above `shift`.
void sort_by_digit(std::span<const std::uint64_t> from, int shift, int bits, std::span<std::uint64_t> to) {
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  std::array<std::uint32_t, std::size_t{1} << most_digit_bits> begins = {};
  for (const std::uint64_t each : from) ++begins[each >> shift & mask];
  std::uint32_t sum = 0;
  for (std::uint32_t& begin : std::span(begins).first(mask + 1)) sum += std::exchange(begin, sum);
  for (const std::uint64_t each : from) to[begins[each >> shift & mask]++] = each;
}

}  // namespace

/// A key's difference from the smallest one and its number, in 64 bits, are moved in half the time of the two.
void KeySorting::sort() {
  const Extent extent = extent_of(keys);
  if (extent.in_order) return;
  const auto key_bits = static_cast<int>(std::bit_width(extent.largest - extent.smallest));
  const auto number_bits = static_cast<int>(std::bit_width(extent.largest_number));
  if (key_bits + number_bits > 64) {
    std::stable_sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
    return;
  }
  if (scratch.size() < 2 * keys.size()) scratch.resize(2 * keys.size());
  std::span<std::uint64_t> packed(scratch.data(), keys.size()), other(scratch.data() + keys.size(), keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i)
    packed[i] = (keys[i].key - extent.smallest) << number_bits | keys[i].number;
  const int digits = (key_bits + most_digit_bits - 1) / most_digit_bits, bits = (key_bits + digits - 1) / digits;
  for (int digit = 0; digit < digits; ++digit) {
    sort_by_digit(packed, number_bits + digit * bits, bits, other);
    std::swap(packed, other);
  }
  const std::uint64_t number_mask = (std::uint64_t{1} << number_bits) - 1;
  for (std::size_t i = 0; i < keys.size(); ++i)
    keys[i] = {extent.smallest + (packed[i] >> number_bits), static_cast<std::uint32_t>(packed[i] & number_mask)};
}

}  // namespace warpseed::records
