#include "align/placed_read.hpp"

#include <algorithm>

#include "text/alphabet.hpp"

namespace warpseed {

namespace {

/// The low two bits of eight bytes as 16 bits, those of the first byte on top.
std::uint64_t pairs_of_eight(const std::uint8_t* bytes) {
  std::uint64_t pairs = 0;
  for (int i = 0; i < 8; ++i) pairs |= std::uint64_t{bytes[i]} << (56 - 8 * i);  // a load and a swap
  pairs &= 0x0303030303030303ULL;
  pairs = (pairs | pairs >> 6) & 0x000F000F000F000FULL;
  pairs = (pairs | pairs >> 12) & 0x000000FF000000FFULL;
  return (pairs | pairs >> 24) & 0xFFFFULL;
}

/// Packs `value(code)` of codes [0, count), at most 32, from the top of a word on.
template <class Value>
std::uint64_t pack_word(const std::uint8_t* codes, std::size_t count, Value value) {
  std::uint8_t values[32] = {};
  for (std::size_t i = 0; i < count; ++i) values[i] = value(codes[i]);
  return pairs_of_eight(values) << 48 | pairs_of_eight(values + 8) << 32 | pairs_of_eight(values + 16) << 16 |
         pairs_of_eight(values + 24);
}

/// Bases at `words`, the places of N `part` words behind them.
void pack_codes(std::span<const std::uint8_t> codes, std::size_t part, std::uint64_t* words) {
  for (std::size_t begin = 0; begin < codes.size(); begin += 32, ++words) {
    const std::size_t count = std::min<std::size_t>(codes.size() - begin, 32);
    words[0] = pack_word(codes.data() + begin, count, [](std::uint8_t code) { return code; });
    words[part] = pack_word(codes.data() + begin, count, [](std::uint8_t code) { return std::uint8_t(code >> 2U); });
  }
}

}  // namespace

void TurnedRead::assign(std::string_view letters) {
  own_.resize(memory_words(letters.size()));
  assign(letters, own_.data());
  outside_ = nullptr;
}

void TurnedRead::assign(std::string_view letters, std::uint64_t* memory) {
  length_ = static_cast<std::uint32_t>(letters.size());
  outside_ = memory;
  std::fill_n(memory, word_count(), 0);
  auto* codes = reinterpret_cast<std::uint8_t*>(memory + word_count());
  const std::span<std::uint8_t> forward(codes, letters.size()), reverse(codes + letters.size(), letters.size());
  for (std::size_t i = 0; i < letters.size(); ++i) forward[i] = std::min(code_of_letter(letters[i]), code_n);
  std::transform(forward.rbegin(), forward.rend(), reverse.begin(), [](std::uint8_t code) { return complement(code); });
  const std::size_t part = packed_words(letters.size());
  pack_codes(forward, part, memory);
  pack_codes(reverse, part, memory + 2 * part);
}

}  // namespace warpseed
