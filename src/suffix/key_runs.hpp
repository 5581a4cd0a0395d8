// Runs of words with equal keys.
#pragma once

#include <cstdint>
#include <span>

namespace warpseed::suffix {

/// Calls visit(begin, end) for each run of equal words, given same(a, b).
template <class Word, class Same, class Visit>
void for_each_run(std::span<const Word> words, Same same, Visit visit) {
  for (std::uint64_t begin = 0, end = 0; begin < words.size(); begin = end) {
    for (end = begin + 1; end < words.size() && same(words[begin], words[end]); ++end) {
    }
    visit(begin, end);
  }
}

}  // namespace warpseed::suffix
