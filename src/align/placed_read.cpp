#include "align/placed_read.hpp"

#include <algorithm>

#include "text/alphabet.hpp"

namespace warpseed {

void TurnedRead::assign(std::string_view letters) {
  forward.resize(letters.size());
  reverse.resize(letters.size());
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const std::uint8_t code = std::min(code_of_letter(letters[i]), code_n);
    forward[i] = code;
    reverse[letters.size() - 1 - i] = complement(code);
  }
  const std::size_t part = packed_words(letters.size());
  words.assign(4 * part, 0);
  const auto pack = [&](const std::vector<std::uint8_t>& codes, std::size_t begin) {
    for (std::size_t i = 0; i < codes.size(); ++i) {
      const std::uint64_t base = codes[i] & 3U, unknown = codes[i] >> 2U;
      words[begin + i / 32] |= base << (62 - 2 * (i % 32));
      words[begin + part + i / 32] |= unknown << (62 - 2 * (i % 32));
    }
  };
  pack(forward, 0);
  pack(reverse, 2 * part);
}

}  // namespace warpseed
