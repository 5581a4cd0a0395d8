// Compares FASTQ of simulated pairs with simulated_name() and simulated_bases(), whose code it does not share.
#include "simulate/fastq_pairs.hpp"

#include <cmath>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "catch.hpp"
#include "core/backend.hpp"
#include "simulate/simulated_oracle.hpp"

namespace {

using namespace warpseed;
using namespace warpseed::align;
using namespace warpseed::simulate;
using namespace warpseed::text;
using test::genome_with_gaps;
using test::simulated_name;

std::string_view contig_name(std::uint64_t contig) {
  return std::vector<std::string_view>{"chr_1", "b", "c"}[contig];
}

struct Record {
  std::string name, bases, qualities;
};

std::vector<Record> parse(const std::string& text) {
  std::istringstream lines(text);
  std::vector<Record> records;
  for (std::string name, bases, plus, qualities; std::getline(lines, name);) {
    REQUIRE(std::getline(lines, bases));
    REQUIRE(std::getline(lines, plus));
    REQUIRE(std::getline(lines, qualities));
    REQUIRE(name.substr(0, 1) == "@");
    REQUIRE(plus == "+");
    records.push_back({name.substr(1), bases, qualities});
  }
  return records;
}

QualityModel model_of(const std::vector<std::string>& reads, std::uint32_t length) {
  QualityProfile profile(false);
  for (const std::string& read : reads) profile.add(0, read), profile.add(1, read);
  return {profile, length};
}

}  // namespace

TEST_CASE("FASTQ of pairs is that of their names and bases", "[simulate][fastq]") {
  std::mt19937 rng(81);
  const Genome genome = genome_with_gaps(rng);
  const GenomeView view = genome.view();
  ReadSimulation simulation;
  simulation.length = GENERATE(1U, 8U, 100U, 151U);
  simulation.error = GENERATE(0U, 429496729U);       // none, a tenth
  simulation.duplicates = GENERATE(0U, 858993459U);  // none, a fifth
  CAPTURE(simulation.length, simulation.error, simulation.duplicates);
  const FastqPairs pairs(view, contig_name, simulation);
  constexpr std::uint64_t first = 77, count = 600;
  std::string texts[2];
  pairs.append(first, 65, "", texts[0], texts[1]);
  pairs.append(first + 65, count - 65, "", texts[0], texts[1]);
  for (unsigned mate = 0; mate < 2; ++mate) {
    const std::vector<Record> records = parse(texts[mate]);
    REQUIRE(records.size() == count);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::string name = simulated_name(view, contig_name, simulation, first + i);
      REQUIRE(records[i].name == name + (mate == 0 ? "/1" : "/2"));
      REQUIRE(records[i].bases == simulated_bases(view, simulation, first + i, mate));
      REQUIRE(records[i].qualities == std::string(simulation.length, 'I'));
    }
  }
}

TEST_CASE("bases of a backend and interleaved mates give the same records", "[simulate][fastq]") {
  std::mt19937 rng(82);
  const Genome genome = genome_with_gaps(rng);
  ReadSimulation simulation;
  simulation.duplicates = 858993459U;
  const FastqPairs pairs(genome.view(), contig_name, simulation);
  std::string texts[2], both, bases(2 * 500 * simulation.length, '?');
  pairs.append(3, 500, "", texts[0], texts[1]);
  const Backend backend = GENERATE(from_range(available_backends(2)));
  simulated_pairs(genome.view(), simulation, 3, bases, backend);
  pairs.append(3, 500, bases, both, both);
  const std::vector<Record> interleaved = parse(both);
  for (unsigned mate = 0; mate < 2; ++mate) {
    const std::vector<Record> records = parse(texts[mate]);
    for (std::size_t i = 0; i < records.size(); ++i) {
      REQUIRE(records[i].name == interleaved[2 * i + mate].name);
      REQUIRE(records[i].bases == interleaved[2 * i + mate].bases);
    }
  }
  CHECK_THROWS_AS(pairs.append(0, 2, bases, both, both), std::invalid_argument);
}

TEST_CASE("a share of pairs are copies of an earlier pair's fragment, and say so", "[simulate][fastq]") {
  std::mt19937 rng(83);
  GenomeBuilder builder;
  builder.begin_contig("a");
  builder.add_codes(test::random_codes(3'000'000, 4, rng));
  const Genome genome = builder.finish();
  ReadSimulation simulation, without;
  simulation.duplicates = GENERATE(429496729U, 2147483648U);  // a tenth, a half
  const double share = static_cast<double>(simulation.duplicates) / 4294967296.0;
  constexpr std::uint64_t count = 20000;
  std::uint64_t copies = 0;
  std::map<std::string, std::uint64_t> fragments;  // contig, starts and strands
  for (std::uint64_t pair = 0; pair < count; ++pair) {
    const std::string name = simulated_name(genome.view(), contig_name, simulation, pair);
    const std::size_t end = name.rfind('_'), x = name.find('x', end);
    REQUIRE(std::stoull(name.substr(end + 1), nullptr, 16) == pair);
    const std::string fragment = name.substr(0, end);
    if (x == std::string::npos) {
      CHECK(name == simulated_name(genome.view(), contig_name, without, pair));
      fragments[fragment] = pair;  // few are equal by chance
      continue;
    }
    ++copies;
    const std::uint64_t original = std::stoull(name.substr(x + 1), nullptr, 16);
    REQUIRE(original < pair);
    const std::string its = simulated_name(genome.view(), contig_name, simulation, original);
    REQUIRE(its.find('x', its.rfind('_')) == std::string::npos);
    REQUIRE(its.substr(0, its.rfind('_')) == fragment);
    const std::string bases = simulated_bases(genome.view(), simulation, pair, 0);
    if (bases != simulated_bases(genome.view(), simulation, original, 0)) ++fragments["other errors"];
  }
  const double deviation = std::sqrt(share * (1 - share) / count);
  CHECK(std::abs(static_cast<double>(copies) / count - share) < 5 * deviation);
  // Two reads of 150 bases without an error in 0.5 % of their bases: 0.995^300.
  CHECK(static_cast<double>(fragments["other errors"]) / static_cast<double>(copies) ==
        Approx(1 - std::pow(0.995, 300)).margin(0.05));
}

TEST_CASE("errors follow qualities where that is asked for", "[simulate][fastq]") {
  std::mt19937 rng(84);
  const Genome genome = genome_with_gaps(rng);
  const GenomeView view = genome.view();
  ReadSimulation simulation;
  simulation.length = 100;
  ReadSimulation without = simulation;
  without.error = 0;
  // Qualities 3, 10, 20 and 40 in stretches.
  std::vector<std::string> reads(4);
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t k = 0; k < 4; ++k)
      reads[i] += std::string(25, static_cast<char>(33 + std::array{3, 10, 20, 40}[(i + k) % 4]));
  }
  FastqPairs pairs(view, contig_name, simulation);
  const bool follow = GENERATE(true, false);
  pairs.draw_qualities(model_of(reads, simulation.length), follow);
  std::string texts[2];
  constexpr std::uint64_t count = 4000;
  pairs.append(0, count, "", texts[0], texts[1]);
  std::map<char, double> bases, errors;
  for (unsigned mate = 0; mate < 2; ++mate) {
    const std::vector<Record> records = parse(texts[mate]);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::string origin = simulated_bases(view, without, i, mate);
      if (!follow) REQUIRE(records[i].bases == simulated_bases(view, simulation, i, mate));
      for (std::size_t k = 0; k < origin.size(); ++k) {
        ++bases[records[i].qualities[k]];
        errors[records[i].qualities[k]] += records[i].bases[k] != origin[k];
      }
    }
  }
  REQUIRE(bases.size() == 4);
  for (const auto& [quality, number] : bases) {
    const double wanted = follow ? std::pow(10.0, -(quality - 33) / 10.0) : 0.005;
    CAPTURE(quality, follow);
    CHECK(std::abs(errors[quality] / number - wanted) < 5 * std::sqrt(wanted / number));
  }
}
