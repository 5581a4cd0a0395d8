// Sorts the numbers of each line of standard input, all lines at once, on a GPU where there is one.
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "warpseed/sort.hpp"

int main() {
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> offsets = {0};  // line i is keys[offsets[i], offsets[i + 1])
  for (std::string line; std::getline(std::cin, line); offsets.push_back(keys.size())) {
    std::istringstream numbers(line);
    for (std::uint32_t key = 0; numbers >> key;) keys.push_back(key);
  }

  const warpseed::Context context;
  warpseed::segmented_sort(keys, offsets, context);
  std::fprintf(stderr, "%zu numbers in %zu lines, sorted on %s\n", keys.size(), offsets.size() - 1,
               context.backend().c_str());

  for (std::size_t line = 0; line + 1 < offsets.size(); ++line) {
    for (std::uint64_t i = offsets[line]; i < offsets[line + 1]; ++i)
      std::printf("%u%c", keys[i], i + 1 < offsets[line + 1] ? ' ' : '\n');
    if (offsets[line] == offsets[line + 1]) std::puts("");
  }
}
