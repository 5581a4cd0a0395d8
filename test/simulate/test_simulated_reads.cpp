// Compares simulated reads with the genome at the origin in their names.
#include "simulate/simulated_reads.hpp"

#include <cmath>

#include "catch.hpp"
#include "core/backend.hpp"
#include "simulate/simulated_oracle.hpp"
#include "warpseed/error.hpp"

using namespace warpseed;
using namespace warpseed::align;
using namespace warpseed::simulate;
using namespace warpseed::text;
using test::genome_with_gaps;
using test::simulated_name;

TEST_CASE("simulated pairs come from the origin in their names", "[simulate][simulated]") {
  std::mt19937 rng(61);
  const Genome genome = genome_with_gaps(rng);
  const GenomeView view = genome.view();
  ReadSimulation simulation;
  simulation.length = 100;
  simulation.error = GENERATE(0U, 429496729U);  // none, a tenth
  require_room(view, simulation);
  const auto name_of = [&](std::uint64_t contig) -> std::string_view {
    return std::string_view("abc").substr(contig, 1);
  };
  std::size_t differences = 0, bases = 0, reverse = 0;
  double sum = 0, squares = 0;
  constexpr int pairs = 4000;
  for (std::uint64_t pair = 0; pair < pairs; ++pair) {
    const std::string name = simulated_name(view, name_of, simulation, pair);
    char contig_name = 0;
    unsigned long start[2] = {}, strand[2] = {};
    REQUIRE(std::sscanf(name.c_str(), "%c_%lu_%lu_%lu_%lu_0_0_", &contig_name, &start[0], &start[1], &strand[0],
                        &strand[1]) == 5);
    REQUIRE(strand[0] != strand[1]);
    reverse += strand[0];
    const auto contig = static_cast<std::uint64_t>(contig_name - 'a');
    for (unsigned mate = 0; mate < 2; ++mate) {
      const GenomePos begin = view.contig_begins[contig] + start[mate] - 1;
      REQUIRE(begin + simulation.length <= view.contig_begins[contig + 1]);
      std::vector<std::uint8_t> codes(simulation.length);
      fetch_codes(view, begin, begin + simulation.length, codes.data());
      const std::string sequence = simulated_bases(view, simulation, pair, mate);
      for (std::uint32_t i = 0; i < simulation.length; ++i) {
        const std::uint8_t there = strand[mate] ? complement(codes[simulation.length - 1 - i]) : codes[i];
        REQUIRE(there < 4);
        differences += sequence[i] != base_of_code(there);
        ++bases;
      }
    }
    const auto length =
        static_cast<double>(std::max(start[0], start[1]) + simulation.length - std::min(start[0], start[1]));
    sum += length, squares += length * length;
  }
  const double share = static_cast<double>(differences) / static_cast<double>(bases);
  CHECK(share == (simulation.error == 0 ? Approx(0.0) : Approx(0.1).epsilon(0.02)));
  CHECK(static_cast<double>(reverse) == Approx(pairs / 2).epsilon(0.05));
  const double mean = sum / pairs;
  CHECK(mean == Approx(simulation.mean).epsilon(0.02));
  CHECK(std::sqrt(squares / pairs - mean * mean) == Approx(simulation.deviation).epsilon(0.05));
}

TEST_CASE("a genome without room for fragments is rejected", "[simulate][simulated]") {
  std::mt19937 rng(62);
  const Genome genome = genome_with_gaps(rng);
  ReadSimulation simulation;
  simulation.mean = 20000;
  CHECK_THROWS_AS(require_room(genome.view(), simulation), InputError);
  simulation.mean = 400, simulation.length = 0;
  CHECK_THROWS_AS(require_room(genome.view(), simulation), InputError);
}

TEST_CASE("simulated pairs are the same on every backend", "[simulate][simulated][backend]") {
  std::mt19937 rng(62);
  const Genome genome = genome_with_gaps(rng);
  const GenomeView view = genome.view();
  ReadSimulation simulation;
  simulation.length = GENERATE(1U, 100U, 151U);
  simulation.error = 42949672U;
  require_room(view, simulation);
  constexpr std::uint64_t pairs = 3000, first = 77;
  for (const Backend& backend : available_backends(2)) {
    CAPTURE(to_string(backend), simulation.length);
    std::string sequence(2 * pairs * simulation.length, '?');
    simulated_pairs(view, simulation, first, sequence, backend);
    for (std::uint64_t i = 0; i < 2 * pairs; ++i) {
      const std::string wanted = simulated_bases(view, simulation, first + i / 2, static_cast<unsigned>(i % 2));
      REQUIRE(sequence.compare(i * simulation.length, simulation.length, wanted) == 0);
    }
    std::string part(simulation.length, '?');
    CHECK_THROWS_AS(simulated_pairs(view, simulation, 0, part, backend), std::invalid_argument);
  }
}
