// Seeds against a scan of the text.
#include "align/seed_core.hpp"

#include <map>
#include <string>

#include "catch.hpp"
#include "index/fm_index.hpp"
#include "oracle.hpp"
#include "text/genome.hpp"

namespace {

using namespace warpseed;
using test::Codes;

std::size_t count_in(const std::string& text, const std::string& pattern) {
  std::size_t count = 0;
  for (std::size_t at = text.find(pattern); at != std::string::npos; at = text.find(pattern, at + 1)) ++count;
  return count;
}

std::string as_string(const Codes& codes) {
  return {codes.begin(), codes.end()};
}

}  // namespace

TEST_CASE("seeds occur as often as they say and no long exact match is missed", "[align][seed]") {
  const int alphabet = GENERATE(2, 4);
  std::mt19937 rng(9100U + static_cast<unsigned>(alphabet));
  Codes text = test::random_codes(20000, alphabet, rng);
  std::copy_n(text.begin() + 1000, 3000, text.begin() + 9000);  // a repeat
  GenomeBuilder builder;
  builder.begin_contig("c");
  builder.add_codes(text);
  const Genome genome = builder.finish();
  const GenomeView view = genome.view();
  const FmIndex index = build_fm_index(view, Backend{});
  const FmView fm = index.view();
  const std::string text_string = as_string(text);
  const AlignOptions options;
  const std::uint32_t surely_found = options.min_seed;

  for (int round = 0; round < 200; ++round) {
    const std::size_t from = rng() % (text.size() - 150);
    Codes read(text.begin() + static_cast<long>(from), text.begin() + static_cast<long>(from) + 150);
    for (int error = 0; error < round % 7; ++error) read[rng() % read.size()] = static_cast<std::uint8_t>(rng() % 5);
    std::vector<Seed> seeds;
    find_seeds({fm, view}, read.data(), 150, options, [&](const Seed& seed) { seeds.push_back(seed); });
    const std::string read_string = as_string(read);
    for (const Seed& seed : seeds) {
      REQUIRE(seed.length() >= options.min_seed);
      const std::string match = read_string.substr(seed.begin, seed.length());
      REQUIRE(seed.rows.count() == count_in(text_string, match));
      if (seed.position != not_located) REQUIRE(text_string.find(match) == seed.position);
    }
    for (std::uint32_t begin = 0; begin + surely_found <= 150; ++begin) {  // every window that occurs is touched
      if (count_in(text_string, read_string.substr(begin, surely_found)) == 0) continue;
      bool touched = false;
      for (const Seed& seed : seeds) {
        const std::uint32_t low = std::max(begin, seed.begin), high = std::min(begin + surely_found, seed.end);
        touched |= high >= low + options.min_seed;
      }
      REQUIRE(touched);
    }
  }
}
