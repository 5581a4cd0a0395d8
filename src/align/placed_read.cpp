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
}

}  // namespace warpseed
