// Devices that sort together build the index of one.
#include <random>

#include "catch.hpp"
#include "devices.hpp"
#include "fm_helpers.hpp"
#include "index/fm_index.hpp"
#include "oracle.hpp"

namespace warpseed {

TEST_CASE("a team of devices builds the index of the CPU", "[index][gpu]") {
  std::mt19937 rng(44);
  test::Contigs tiny;
  for (int i = 0; i < 20'000; ++i) tiny.push_back(test::random_bases(1 + rng() % 9, 4, rng));
  const std::vector<test::NamedText> texts = {{"20,000 contigs", tiny},
                                              {"repeats", test::big_text(300'000, 18)},
                                              {"one base", {std::string(100'000, 'G')}},
                                              {"random", {test::random_bases(70'001, 4, rng)}}};
  for (const Backend& team : test::device_teams()) {
    for (const test::NamedText& text : texts) {
      const text::Genome genome = test::genome_of(text.contigs);
      for (const std::uint64_t bytes_each : {0, 16}) {  // all memory; parts
        index::BuildOptions options;
        if (bytes_each > 0) {
          options.sorting.device_bytes =
              (1 + team.more_devices.size()) * ((64 << 20) + bytes_each * genome.text_size());
        }
        CAPTURE(to_string(team), text.name, bytes_each);
        const bool same = test::same_bytes(index::build_fm_index(genome.view(), team, options),
                                           index::build_fm_index(genome.view(), Backend{}));
        REQUIRE(same);
      }
    }
  }
}

}  // namespace warpseed
