#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "catch.hpp"
#include "devices.hpp"
#include "oracle.hpp"
#include "simulate/synthetic.hpp"
#include "text/entry.hpp"
#include "warpseed/error.hpp"

using namespace warpseed;
using namespace warpseed::simulate;
using namespace warpseed::text;

namespace {

std::string made(const SyntheticGenome& genome, std::uint64_t begin, std::uint64_t count, const Backend& backend = {}) {
  std::string sequence(count, '?');
  synthetic_bases(genome, begin, sequence, backend);
  return sequence;
}

std::string whole(const SyntheticGenome& genome) {
  return made(genome, 0, genome.length);
}

/// Only random bases.
SyntheticGenome bare(std::uint64_t length) {
  SyntheticGenome genome{3, length};
  genome.isochores = 0;
  genome.short_repeats = genome.long_repeats = genome.other_repeats = 0;
  genome.microsatellites = genome.satellites = genome.duplications = genome.unknown = 0;
  return genome;
}

double share_of(const std::string& sequence, const std::string& wanted) {
  const auto count = std::count_if(sequence.begin(), sequence.end(),
                                   [&](char letter) { return wanted.find(letter) != std::string::npos; });
  return static_cast<double>(count) / static_cast<double>(sequence.size());
}

/// The share of 24-mers that occur more than once, on either strand.
double repeated_share(const std::string& sequence) {
  constexpr std::size_t size = 24;
  std::vector<std::uint64_t> words;
  std::uint64_t forward = 0, backward = 0;
  std::size_t bases = 0;
  for (const char letter : sequence) {
    const std::size_t code = std::string_view("ACGT").find(letter);
    bases = code == std::string_view::npos ? 0 : bases + 1;
    forward = (forward << 2 | (code & 3)) & ((std::uint64_t{1} << 2 * size) - 1);
    backward = backward >> 2 | std::uint64_t{3 - (code & 3)} << 2 * (size - 1);
    if (bases >= size) words.push_back(std::min(forward, backward));
  }
  std::sort(words.begin(), words.end());
  std::size_t repeated = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool like_last = i > 0 && words[i - 1] == words[i];
    if (like_last || (i + 1 < words.size() && words[i + 1] == words[i])) ++repeated;
  }
  return static_cast<double>(repeated) / static_cast<double>(words.size());
}

/// The share of bases in [begin, end) that differ from the base `lag` further on.
double difference_at(const std::string& sequence, std::size_t begin, std::size_t end, std::size_t lag) {
  std::size_t different = 0;
  for (std::size_t i = begin; i < end; ++i) different += sequence[i] != sequence[i + lag] ? 1 : 0;
  return static_cast<double>(different) / static_cast<double>(end - begin);
}

}  // namespace

TEST_CASE("synthetic bases do not depend on threads or on the split into calls", "[simulate][synthetic]") {
  const SyntheticGenome genome{7, 700'000};
  const std::string expected = whole(genome);
  CHECK(made(genome, 0, genome.length, {BackendKind::cpu, 0, 2}) == expected);
  const std::uint64_t size = GENERATE(1, 999, 32'767, 32'768, 32'769, 65'537, 262'144);
  const std::uint64_t last = size == 1 ? 1000 : genome.length;  // every call recomputes the layout
  CAPTURE(size);
  std::string joined;
  for (std::uint64_t at = 0; at < last; at += size) {
    joined += made(genome, at, std::min(size, last - at), {BackendKind::cpu, 0, 2});
  }
  CHECK(joined == expected.substr(0, last));
}

TEST_CASE("backends generate the same synthetic bases", "[simulate][synthetic][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  const std::uint64_t length = GENERATE(0, 1, 7, 8, 127, 128, 129, 5000, 300'000, 5'000'001);
  CAPTURE(to_string(backend), length);
  SyntheticGenome genome{11, length};
  const std::string expected = whole(genome);
  CHECK(made(genome, 0, length, backend) == expected);
  if (length > 100) CHECK(made(genome, 61, length - 99, backend) == expected.substr(61, length - 99));
  genome.satellites = 0.4, genome.arrays = 3, genome.duplications = 0.08;
  genome.short_repeats = genome.long_repeats = 0.05, genome.isochores = 0;
  CHECK(made(genome, 0, length, backend) == whole(genome));
}

TEST_CASE("a synthetic genome equals its packed bases", "[simulate][synthetic][backend]") {
  const Backend backend = GENERATE(from_range(available_backends(2)));
  const std::uint64_t length = GENERATE(1, 31, 32, 33, 1000, 400'000);
  const std::uint64_t contigs = std::min<std::uint64_t>(length, GENERATE(1, 2, 77));
  CAPTURE(to_string(backend), length, contigs);
  SyntheticGenome genome{5, length};
  genome.unknown = GENERATE(0.0, 0.3);
  const std::string sequence = whole(genome);
  GenomeBuilder builder;
  for (std::uint64_t i = 0; i < contigs; ++i) {
    const std::uint64_t size = length / contigs;
    builder.begin_contig("synthetic" + std::to_string(i + 1));
    builder.add(std::string_view(sequence).substr(i * size, i + 1 == contigs ? std::string::npos : size));
  }
  const Genome expected = builder.finish(), got = synthetic_genome(genome, contigs, backend);
  CHECK(got.names == expected.names);
  CHECK(got.contig_begins == expected.contig_begins);
  CHECK(got.segments == expected.segments);
  CHECK(got.words == expected.words);
}

TEST_CASE("letters are packed on a device as GenomeBuilder packs them", "[simulate][gpu]") {
  const std::vector<Backend> devices = test::devices();
  if (devices.empty()) return;
  const Backend backend = GENERATE_COPY(from_range(devices));
  const std::size_t length = GENERATE(0, 1, 31, 32, 33, 255, 8191, 8192, 8193, 100'003);
  const std::string letters_of = GENERATE("ACGT", "N", "ACGTacgtuUN", "aNn", "ACGTRYSWKMBDHVNryswkmbdhvn");
  const unsigned seed = 99U + static_cast<unsigned>(length);
  CAPTURE(to_string(backend), length, letters_of, seed);
  std::mt19937 rng(seed);
  std::string sequence;
  for (std::size_t i = 0; i < length; ++i) sequence += letters_of[rng() % letters_of.size()];
  std::vector<std::uint64_t> begins = {0};
  while (begins.back() < length) begins.push_back(std::min<std::uint64_t>(length, begins.back() + 1 + rng() % 100));
  GenomeBuilder builder;
  for (std::size_t i = 0; i + 1 < begins.size(); ++i) {
    builder.begin_contig("contig");
    builder.add(std::string_view(sequence).substr(begins[i], begins[i + 1] - begins[i]));
  }
  const Genome expected = builder.finish(), got = text::cuda::pack_bases(sequence, begins, backend);
  CHECK(got.segments == expected.segments);
  CHECK(got.words == expected.words);
  if (length < 3) return;
  sequence[length / 2] = GENERATE('*', '-', 'E', '\n', '@', '\xC1');
  CHECK_THROWS_AS(text::cuda::pack_bases(sequence, begins, backend), InputError);
  CHECK_THROWS_AS(text::cuda::pack_bases(sequence, std::vector<std::uint64_t>{0, 1}, backend), std::invalid_argument);
}

TEST_CASE("a synthetic genome has the requested shares", "[simulate][synthetic]") {
  SyntheticGenome genome{1, 6'000'000};
  const std::string sequence = whole(genome);
  CHECK(sequence.find_first_not_of("ACGTN") == std::string::npos);
  CHECK(share_of(sequence, "N") == Approx(0.05).margin(0.01));
  CHECK(share_of(sequence, "CG") / (1 - share_of(sequence, "N")) == Approx(0.41).margin(0.04));
  genome.gc = 0.6, genome.unknown = 0.5, genome.satellites = 0;
  const std::string others = whole(genome);
  CHECK(share_of(others, "N") == Approx(0.5).margin(0.03));
  CHECK(share_of(others, "CG") / (1 - share_of(others, "N")) == Approx(0.6).margin(0.04));
  genome.seed = 2;
  CHECK(whole(genome) != others);
}

TEST_CASE("each trait of a synthetic genome works alone", "[simulate][synthetic]") {
  SyntheticGenome genome = bare(2'000'000);
  const std::string sequence = whole(genome);
  CHECK(share_of(sequence, "N") == 0);
  CHECK(share_of(sequence, "CG") == Approx(0.41).margin(0.002));
  CHECK(repeated_share(sequence) < 0.0001);
  genome.repeat_min_divergence = genome.repeat_max_divergence = 0.01;
  for (double SyntheticGenome::*share :
       {&SyntheticGenome::short_repeats, &SyntheticGenome::long_repeats, &SyntheticGenome::other_repeats,
        &SyntheticGenome::satellites, &SyntheticGenome::duplications, &SyntheticGenome::microsatellites}) {
    SyntheticGenome one = genome;
    one.*share = share == &SyntheticGenome::duplications ? 0.08 : 0.3;
    const double repeated = repeated_share(whole(one));
    CHECK(repeated > 0.02);
    CHECK(repeated < 0.4);
  }
}

TEST_CASE("synthetic arrays repeat their unit", "[simulate][synthetic]") {
  SyntheticGenome genome = bare(2'000'000);
  genome.satellites = 0.5, genome.arrays = 1, genome.satellite_divergence = 0.01;
  const std::string sequence = whole(genome);
  const std::size_t unit = 2052, window = 1000;
  std::vector<std::size_t> within;
  for (std::size_t at = 0; at + window + unit <= sequence.size(); at += window) {
    if (difference_at(sequence, at, at + window, unit) < 0.1) within.push_back(at);
  }
  REQUIRE(within.size() == Approx(1000).margin(5));
  const std::size_t begin = within.front(), end = within.back() + window;
  CHECK(end - begin == within.size() * window);  // one array
  CHECK(difference_at(sequence, begin, end, unit) == Approx(0.0199).margin(0.001));
  const double between_monomers = difference_at(sequence, begin, end, 171);
  CHECK(between_monomers > 0.3);
  CHECK(between_monomers < 0.5);
}

TEST_CASE("synthetic duplications are copies from either strand", "[simulate][synthetic]") {
  SyntheticGenome genome = bare(4'000'000);
  genome.duplications = 0.08;
  genome.duplication_min_divergence = genome.duplication_max_divergence = 0;
  const double exact = repeated_share(whole(genome));
  CHECK(exact > 0.08);
  CHECK(exact < 0.25);
  genome.duplication_min_divergence = genome.duplication_max_divergence = 0.02;
  CHECK(repeated_share(whole(genome)) / exact == Approx(std::pow(0.98, 24)).margin(0.02));
}

TEST_CASE("parameters out of range are rejected by name", "[simulate][synthetic]") {
  const std::pair<const char*, std::function<void(SyntheticGenome&)>> wrong[] = {
      {"length", [](SyntheticGenome& genome) { genome.length = (std::uint64_t{1} << 40) + 1; }},
      {"gc is 1.5; it must be from 0 to 1", [](SyntheticGenome& genome) { genome.gc = 1.5; }},
      {"unknown", [](SyntheticGenome& genome) { genome.unknown = -0.1; }},
      {"satellites", [](SyntheticGenome& genome) { genome.satellites = std::numeric_limits<double>::quiet_NaN(); }},
      {"duplications", [](SyntheticGenome& genome) { genome.duplications = 0.09; }},
      {"repeat_most_diverged", [](SyntheticGenome& genome) { genome.repeat_max_divergence = 0.01; }},
      {"monomer ", [](SyntheticGenome& genome) { genome.monomer = 0; }},
      {"arrays", [](SyntheticGenome& genome) { genome.arrays = 65'537; }},
      {"the sum of all shares", [](SyntheticGenome& genome) { genome.satellites = 0.9; }},
  };
  for (const auto& [name, change] : wrong) {
    SyntheticGenome genome{1, 100};
    change(genome);
    std::string message;
    try {
      made(genome, 0, 100);
    } catch (const InputError& error) {
      message = error.what();
    }
    CAPTURE(name, message);
    CHECK(message.find(name) != std::string::npos);
  }
  std::string sequence(10, '?');
  CHECK_THROWS_AS(synthetic_bases({1, 100}, 91, sequence, {}), std::invalid_argument);
  CHECK_NOTHROW(synthetic_bases({1, 0}, 0, {}, {}));
  CHECK_THROWS_AS(synthetic_genome({1, 10}, 11, {}), InputError);
  CHECK_THROWS_AS(synthetic_genome({1, 10}, 0, {}), InputError);
}
