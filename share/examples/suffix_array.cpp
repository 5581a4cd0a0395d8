// Prints the suffix array of a text, and how much each suffix shares with the one before it: suffix_array TEXT
#include <cstdio>
#include <string_view>
#include <vector>

#include "warpseed/suffix_array.hpp"

int main(int argc, char** argv) {
  const std::string_view text = argc > 1 ? argv[1] : "mississippi";
  const std::vector<std::uint32_t> suffixes = warpseed::suffix_array(text);
  const std::vector<std::uint32_t> lcp = warpseed::lcp_array(text, suffixes);
  for (std::size_t row = 0; row < suffixes.size(); ++row)
    std::printf("%u\t%u\t%s\n", suffixes[row], lcp[row], text.substr(suffixes[row]).data());
}
