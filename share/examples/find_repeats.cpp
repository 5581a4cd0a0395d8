// Prints the maximal repeats of a sequence, on both strands, as BEDPE: find_repeats MIN_LENGTH < BASES
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

#include "warpseed/error.hpp"
#include "warpseed/overlap.hpp"

int main(int argc, char** argv) try {
  std::string bases;
  for (std::string line; std::cin >> line;) bases += line;

  warpseed::MatchOptions options;
  if (argc > 1) options.min_length = std::strtoull(argv[1], nullptr, 10);
  for (const warpseed::CommonRegion& repeat : warpseed::maximal_matches({{"sequence", bases}}, {}, options)) {
    const auto print = [&](std::uint64_t begin) {
      std::printf("sequence\t%llu\t%llu\t", static_cast<unsigned long long>(begin),
                  static_cast<unsigned long long>(begin + repeat.length));
    };
    print(repeat.target_begin), print(repeat.query_begin);
    std::printf(".\t0\t+\t%c\n", repeat.reverse ? '-' : '+');
  }
} catch (const std::exception& error) {
  std::fprintf(stderr, "find_repeats: %s\n", error.what());
  return 1;
}
