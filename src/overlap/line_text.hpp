// Formats text through a pointer into memory that is already allocated; private to the module.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace warpseed::overlap {

constexpr std::uint64_t number_bytes = 24;  // room for the 20 digits of 2^64 - 1, in blocks of eight

inline char* put(char* at, char letter) {
  *at = letter;
  return at + 1;
}

inline char* put(char* at, std::string_view text) {
  std::memcpy(at, text.data(), text.size());
  return at + text.size();
}

/// The eight decimal digits of a number below 10^8, as values, the first in the lowest byte. Splits halves, then pairs,
/// then digits, each step in all fields at once.
inline std::uint64_t eight_digits(std::uint64_t number) {
  const std::uint64_t halves = number / 10'000 | number % 10'000 << 32;
  const std::uint64_t hundreds = (halves * 10'486 >> 20) & 0x0000'007F'0000'007FULL;  // x / 100 for x < 10^4
  const std::uint64_t pairs = hundreds | (halves - hundreds * 100) << 16;
  const std::uint64_t tens = (pairs * 103 >> 10) & 0x000F'000F'000F'000FULL;  // x / 10 for x < 100
  return tens | (pairs - tens * 10) << 8;
}

/// Writes eight digits without the first `skipped`.
inline char* put_digits(char* at, std::uint64_t digits, unsigned skipped) {
  std::uint64_t letters = (digits | 0x3030'3030'3030'3030ULL) >> 8 * skipped;
  if constexpr (std::endian::native == std::endian::big) letters = __builtin_bswap64(letters);
  std::memcpy(at, &letters, 8);
  return at + 8 - skipped;
}

/// Writes a number in decimal. May overwrite up to number_bytes, however few digits there are. Takes half the time of
/// std::to_chars on columns of mixed width.
inline char* put(char* at, std::uint64_t number) {
  constexpr std::uint64_t block = 100'000'000;
  if (number >= block) return put_digits(put(at, number / block), eight_digits(number % block), 0);
  const std::uint64_t digits = eight_digits(number);
  return put_digits(at, digits, static_cast<unsigned>(std::countr_zero(digits | std::uint64_t{1} << 56)) / 8);
}

/// Writes the parts one after another.
template <class... Parts>
char* put_all(char* at, const Parts&... parts) {
  ((at = put(at, parts)), ...);
  return at;
}

/// Appends `count` lines of at most `bound` bytes each; write(i, at) writes line i at `at` and returns its end.
/// Works in portions that stay in the cache, since a string fills its new memory with zeros first.
template <class Write>
void append_lines(std::string& out, std::uint64_t count, std::uint64_t bound, const Write& write) {
  constexpr std::uint64_t portion = 64;
  for (std::uint64_t done = 0; done < count; done += portion) {
    const std::uint64_t lines = std::min(portion, count - done);
    const std::size_t before = out.size();
    if (out.capacity() < before + lines * bound) out.reserve(2 * out.capacity() + lines * bound);
    out.resize(before + lines * bound);
    char* at = out.data() + before;
    for (std::uint64_t i = done; i < done + lines; ++i) at = write(i, at);
    out.resize(static_cast<std::size_t>(at - out.data()));
  }
}

}  // namespace warpseed::overlap
