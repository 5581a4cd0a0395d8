// The elements of a CIGAR text.
#pragma once

#include <cstdint>
#include <string_view>

namespace warpseed::python {

/// Calls use(length, operation) for each element of "76M1I74M", which the library has written.
template <class Use>
void for_each_element(std::string_view cigar, const Use& use) {
  std::int64_t length = 0;
  for (const char letter : cigar) {
    if (letter >= '0' && letter <= '9') {
      length = 10 * length + (letter - '0');
    } else {
      use(length, letter);
      length = 0;
    }
  }
}

}  // namespace warpseed::python
