// Compares drawn base qualities with the counts of the reads that they are learnt from.
#include "simulate/quality_model.hpp"

#include <cmath>
#include <map>
#include <random>

#include "catch.hpp"
#include "simulate/synthetic_core.hpp"
#include "warpseed/error.hpp"

namespace {

using namespace warpseed;
using namespace warpseed::simulate;

/// Reads whose qualities fall towards the end, with long runs of one value and ends of 2.
std::vector<std::string> falling_reads(std::size_t count, std::size_t length, std::mt19937& rng) {
  std::vector<std::string> reads(count);
  for (std::string& read : reads) {
    std::uint64_t quality = 30 + rng() % 11;
    for (std::size_t i = 0; i < length; ++i) {
      if (rng() % 4 == 0) quality = 40 - 20 * i / length - rng() % 8;
      if (rng() % (2 * length) < i / 8) quality = 2;
      read += static_cast<char>(33 + quality);
    }
  }
  return reads;
}

std::vector<std::string> draw(const QualityModel& model, unsigned mate, std::size_t count) {
  std::vector<std::uint64_t> keys(count);
  for (std::size_t i = 0; i < count; ++i) keys[i] = synthetic::mix_bits(1000 * mate + i);
  std::string all(count * model.length(), '?');
  model.draw(mate, keys, all.data());
  std::vector<std::string> reads(count);
  for (std::size_t i = 0; i < count; ++i) reads[i] = all.substr(i * model.length(), model.length());
  return reads;
}

/// Half the sum of the differences of two distributions: 0 for equal ones, 1 for those that have nothing in common.
template <class Key>
double distance(const std::map<Key, double>& a, const std::map<Key, double>& b) {
  std::map<Key, double> difference = a;
  for (const auto& [key, share] : b) difference[key] -= share;
  double sum = 0;
  for (const auto& [key, share] : difference) sum += std::abs(share) / 2;
  return sum;
}

std::map<char, double> at_cycle(const std::vector<std::string>& reads, std::size_t cycle) {
  std::map<char, double> shares;
  for (const std::string& read : reads) shares[read[cycle]] += 1.0 / static_cast<double>(reads.size());
  return shares;
}

std::map<std::string, double> neighbours(const std::vector<std::string>& reads, std::size_t cycle) {
  std::map<std::string, double> shares;
  for (const std::string& read : reads) shares[read.substr(cycle, 2)] += 1.0 / static_cast<double>(reads.size());
  return shares;
}

}  // namespace

TEST_CASE("drawn qualities have the profile's distribution by cycle and neighbour", "[simulate][qualities]") {
  std::mt19937 rng(71);
  constexpr std::size_t length = 50, count = 40000;
  const std::vector<std::string> learnt[] = {falling_reads(count, length, rng), falling_reads(count, length, rng)};
  QualityProfile profile(false);
  for (unsigned mate = 0; mate < 2; ++mate) {
    for (const std::string& read : learnt[mate])
      profile.add(mate, mate == 0 ? read : std::string(read.rbegin(), read.rend()));
  }
  const QualityModel model(profile, length);
  for (unsigned mate = 0; mate < 2; ++mate) {
    std::vector<std::string> wanted = learnt[mate];
    if (mate == 1) {
      for (std::string& read : wanted) std::reverse(read.begin(), read.end());
    }
    const std::vector<std::string> drawn = draw(model, mate, count);
    for (std::size_t cycle = 0; cycle < length; ++cycle) {
      CAPTURE(mate, cycle);
      CHECK(distance(at_cycle(wanted, cycle), at_cycle(drawn, cycle)) < 0.02);
      if (cycle + 1 < length) CHECK(distance(neighbours(wanted, cycle), neighbours(drawn, cycle)) < 0.05);
    }
  }
}

TEST_CASE("qualities are drawn by their key alone", "[simulate][qualities]") {
  std::mt19937 rng(72);
  QualityProfile profile(false);
  for (const std::string& read : falling_reads(500, 30, rng)) profile.add(0, read), profile.add(1, read);
  const std::uint32_t length = GENERATE(1U, 7U, 30U, 64U);
  const QualityModel model(profile, length);
  const std::size_t count = GENERATE(0U, 1U, 63U, 64U, 65U, 129U);
  CAPTURE(length, count);
  const std::vector<std::string> together = draw(model, 1, count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t key = synthetic::mix_bits(1000 + i);
    std::string alone(length, '?');
    model.draw(1, std::span(&key, 1), alone.data());
    CHECK(alone == together[i]);
  }
}

TEST_CASE("each cycle of longer and shorter reads has its distribution", "[simulate][qualities]") {
  std::mt19937 rng(73);
  QualityProfile profile(false);
  const std::vector<std::string> learnt = falling_reads(20000, 60, rng);
  for (const std::string& read : learnt) profile.add(0, read), profile.add(1, read);
  for (const std::uint32_t length : {30U, 59U, 61U, 150U}) {
    CAPTURE(length);
    const std::vector<std::string> drawn = draw(QualityModel(profile, length), 0, 20000);
    CHECK(distance(at_cycle(learnt, 0), at_cycle(drawn, 0)) < 0.02);
    for (std::uint32_t i = 0; i < length; ++i) {
      CAPTURE(i);
      const std::size_t cycle = length < 60 ? (i * 60 + length - 1) / length : i * 60 / length;
      REQUIRE(distance(at_cycle(learnt, cycle), at_cycle(drawn, i)) < 0.03);
    }
    CHECK(distance(at_cycle(learnt, 0), at_cycle(drawn, length - 1)) > 0.5);
  }
}

TEST_CASE("a quality that always follows another one always does", "[simulate][qualities]") {
  QualityProfile profile(false);
  profile.add(0, "!!_"), profile.add(0, "IHG"), profile.add(0, "IHG"), profile.add(0, "IH+");
  profile.add(1, "I");
  std::map<std::string, double> shares;
  for (const std::string& read : draw(QualityModel(profile, 3), 0, 10000)) shares[read] += 1e-4;
  CHECK(shares.size() == 3);
  CHECK(shares["!!_"] == Approx(0.25).margin(0.02));
  CHECK(shares["IHG"] == Approx(0.5).margin(0.02));
  CHECK(shares["IH+"] == Approx(0.25).margin(0.02));
}

TEST_CASE("binned qualities are those of a NovaSeq", "[simulate][qualities]") {
  std::mt19937 rng(74);
  QualityProfile profile(true);
  std::map<char, double> wanted;
  for (const std::string& read : falling_reads(10000, 40, rng)) {
    profile.add(0, read), profile.add(1, read);
    for (const char c : read) {
      const int quality = c - 33;
      wanted["#-8F"[quality < 3 ? 0 : quality < 18 ? 1 : quality < 30 ? 2 : 3]] += 1.0 / 400000;
    }
  }
  std::map<char, double> drawn;
  for (const std::string& read : draw(QualityModel(profile, 40), 0, 10000)) {
    for (const char c : read) drawn[c] += 1.0 / 400000;
  }
  CHECK(drawn.size() == wanted.size());
  CHECK(distance(wanted, drawn) < 0.01);
}

TEST_CASE("profiles without qualities, or with others than short reads have, are rejected", "[simulate][qualities]") {
  QualityProfile profile(false);
  CHECK_THROWS_AS(profile.add(0, "IIa"), InputError);
  CHECK_THROWS_AS(profile.add(0, "I I"), InputError);
  profile.add(0, "I_!");
  CHECK_THROWS_AS(QualityModel(profile, 10), InputError);  // none of second mates
}
