// Runs of words with equal keys.
#pragma once

#include <cstdint>

namespace warpseed::suffix {

/// Calls visit(begin, end) for each run of equal words, given same(a, b).
template <class Word, class Same, class Visit>
void for_each_run(const Word* words, std::uint64_t count, Same same, Visit visit) {
  for (std::uint64_t begin = 0, end = 0; begin < count; begin = end) {
    for (end = begin + 1; end < count && same(words[begin], words[end]); ++end) {
    }
    visit(begin, end);
  }
}

}  // namespace warpseed::suffix
