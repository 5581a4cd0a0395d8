// MM, ML and MN of parts of reads, compared with the modified bases counted one by one.
#include "reads/base_modifications.hpp"

#include <map>
#include <random>
#include <string>
#include <vector>

#include "catch.hpp"

using namespace warpseed::reads;
using namespace std::string_literals;

namespace {

std::string number(std::uint32_t value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

std::string packed(const std::string& positions, const std::string& likelihoods, std::uint32_t length) {
  return "XAAx" + ("MMZ" + positions + '\0') + "MLBC" + number(static_cast<std::uint32_t>(likelihoods.size())) +
         likelihoods + "MNI" + number(length) + "XBAy";
}

std::string trimmed(std::string fields, const std::string& bases, const ShownBases& shown) {
  fields.resize(trim_modifications(fields.data(), fields.size(), bases, shown));
  return fields;
}

}  // namespace

TEST_CASE("modifications of a part of a read", "[reads][tags]") {
  const std::string bases = "ACCGCTTCCAGC";                              // C at 1 2 4 7 8 11
  const std::string whole = packed("C+m?,0,1,1;", "\x0A\x14\x1E"s, 12);  // the C at 1, 4 and 8
  CHECK(trimmed(whole, bases, {0, 12, 12, false}) == whole);
  CHECK(trimmed(whole, bases, {0, 12, 12, true}) == whole);
  CHECK(trimmed(whole, bases, {2, 8, 12, false}) == packed("C+m?,1,1;", "\x14\x1E"s, 8));
  CHECK(trimmed(whole, bases, {2, 8, 12, true}) == packed("C+m?,1,1;", "\x14\x1E"s, 8));
  CHECK(trimmed(whole, bases, {9, 3, 12, false}) == packed("C+m?;", ""s, 3));
  CHECK(trimmed(whole, bases, {0, 0, 12, false}) == "XAAxXBAy");
  // Not of this read, or malformed: unchanged.
  const std::string stale = packed("C+m?,0,1,1;", "\x0A\x14\x1E"s, 13);
  CHECK(trimmed(stale, bases, {2, 8, 12, false}) == stale);
  for (const std::string& text : {"C+m?,0,x;"s, "C+m?,0"s, "m,0;"s}) {
    const std::string bad = packed(text, "\x0A"s, 12);
    CHECK(trimmed(bad, bases, {2, 8, 12, false}) == bad);
  }
}

TEST_CASE("modifications of random parts are those of the whole read there", "[reads][tags]") {
  std::mt19937 rng(6);
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    std::string bases;
    for (std::size_t i = rng() % 200 + 1; i > 0; --i) bases += "ACGT"[rng() % 4];
    std::map<std::size_t, std::string> modified;  // by position: likelihoods of m and h
    const auto text_of = [&](std::size_t begin, std::size_t size, std::string& likelihoods) {
      std::string text = "C+mh.";
      int skipped = 0;
      for (std::size_t i = begin; i < begin + size; ++i) {
        if (bases[i] != 'C') continue;
        if (const auto found = modified.find(i); found != modified.end()) {
          text += ',' + std::to_string(skipped), likelihoods += found->second, skipped = 0;
        } else {
          ++skipped;
        }
      }
      return text + ';';
    };
    for (std::size_t i = 0; i < bases.size(); ++i) {
      if (bases[i] == 'C' && rng() % 3 == 0) modified[i] = {static_cast<char>(rng()), static_cast<char>(rng())};
    }
    const std::size_t begin = rng() % bases.size(), size = rng() % (bases.size() - begin) + 1;
    std::string all, part;
    const std::string whole = text_of(0, bases.size(), all), wanted = text_of(begin, size, part);
    const auto length = static_cast<std::uint32_t>(bases.size());
    CHECK(trimmed(packed(whole, all, length), bases, {begin, size, bases.size(), rng() % 2 == 0}) ==
          packed(wanted, part, static_cast<std::uint32_t>(size)));
  }
}
