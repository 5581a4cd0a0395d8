// What the tests compare with: texts, and brute-force answers computed from characters alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/genome.hpp"

namespace warpseed::test {

using Contigs = std::vector<std::string>;

inline text::Genome genome_of(const Contigs& contigs) {
  text::GenomeBuilder builder;
  for (std::size_t i = 0; i < contigs.size(); ++i) {
    builder.begin_contig("contig" + std::to_string(i));
    builder.add(contigs[i]);
  }
  return builder.finish();
}

/// Random characters from the first `alphabet` of ACGTN.
inline std::string random_bases(std::size_t length, std::uint64_t alphabet, std::mt19937& rng) {
  std::string sequence(length, 'A');
  for (char& letter : sequence) letter = "ACGTN"[rng() % alphabet];
  return sequence;
}

/// The text as numbers with the same order: separators 0, 1, 2... in text order, bases above them all.
inline std::vector<std::uint64_t> symbols_of(const Contigs& contigs) {
  constexpr std::uint64_t bases = 1'000'000'000;
  std::vector<std::uint64_t> symbols;
  std::uint64_t separators = 0;
  bool in_segment = false;
  for (const std::string& contig : contigs) {
    for (const char letter : contig + 'N') {  // a contig's end separates as an N does
      const std::size_t code = std::string_view("ACGT").find(letter);
      if (code != std::string_view::npos) {
        symbols.push_back(bases + code);
        in_segment = true;
      } else if (in_segment) {
        symbols.push_back(separators++);
        in_segment = false;
      }
    }
  }
  return symbols;
}

inline std::vector<std::uint64_t> sorted_suffixes(const std::vector<std::uint64_t>& symbols) {
  std::vector<std::uint64_t> suffixes(symbols.size());
  std::iota(suffixes.begin(), suffixes.end(), std::uint64_t{0});
  const auto from = [&](std::uint64_t at) { return symbols.begin() + static_cast<std::ptrdiff_t>(at); };
  std::sort(suffixes.begin(), suffixes.end(), [&](std::uint64_t a, std::uint64_t b) {
    return std::lexicographical_compare(from(a), symbols.end(), from(b), symbols.end());
  });
  return suffixes;
}

/// Where a pattern occurs in the contigs: (contig, offset) in order.
inline std::vector<std::pair<std::uint64_t, std::uint64_t>> positions_of(const Contigs& contigs,
                                                                         const std::string& pattern) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> places;
  if (pattern.empty() || pattern.find('N') != std::string::npos) return places;
  for (std::size_t contig = 0; contig < contigs.size(); ++contig) {
    std::size_t at = contigs[contig].find(pattern);
    for (; at != std::string::npos; at = contigs[contig].find(pattern, at + 1)) places.emplace_back(contig, at);
  }
  return places;
}

inline std::string reverse_complement(std::string sequence) {
  std::reverse(sequence.begin(), sequence.end());
  for (char& letter : sequence) {
    const std::size_t code = std::string_view("ACGT").find(letter);
    if (code != std::string_view::npos) letter = "TGCA"[code];
  }
  return sequence;
}

inline std::string fibonacci_bases(std::size_t length) {
  std::string before = "A", sequence = "AC";
  while (sequence.size() < length) before = std::exchange(sequence, sequence + before);
  return sequence.substr(0, length);
}

/// Every word of length `order` once: the shortest such cycle (de Bruijn), by the greedy rule, cut at its start.
inline std::string de_bruijn_bases(std::size_t order) {
  std::size_t words = 1;
  for (std::size_t i = 0; i < order; ++i) words *= 4;
  std::vector<bool> seen(words);
  std::string sequence(order, 'A');
  std::size_t word = 0;
  seen[0] = true;
  for (bool grown = true; grown;) {
    grown = false;
    for (std::size_t code = 4; code-- > 0 && !grown;) {  // the highest base that gives a new word
      const std::size_t next = (word * 4 + code) % words;
      if (seen[next]) continue;
      seen[word = next] = true;
      sequence += "ACGT"[code];
      grown = true;
    }
  }
  return sequence;
}

struct NamedText {
  std::string name;
  Contigs contigs;
};

/// Hard cases for suffix sorting and rank: empty, short, of a single character, periodic, with separators everywhere.
inline std::vector<NamedText> difficult_texts(unsigned seed) {
  std::mt19937 rng(seed);
  std::vector<NamedText> texts = {
      {"no contig", {}},
      {"only N", {"NNNNN", "N"}},
      {"one base", {"A"}},
      {"all T", {std::string(700, 'T')}},
      {"all A in contigs", {std::string(300, 'A'), std::string(300, 'A'), std::string(299, 'A')}},
      {"period 3", {std::string("ACG") + std::string(1, 'A')}},
      {"Fibonacci", {fibonacci_bases(1500)}},
      {"de Bruijn", {de_bruijn_bases(5)}},
      {"N around", {"NNACGTNNNNACGTTNN", "NA", "CN", "ACGT"}},
  };
  for (int i = 0; i < 200; ++i) texts[5].contigs[0] += "CGA";
  const std::string same = random_bases(200, 4, rng);
  texts.push_back({"identical contigs", {same, same, same, same}});
  for (const std::size_t length : {2U, 31U, 32U, 33U, 63U, 64U, 65U, 127U, 128U, 2100U}) {
    for (const std::uint64_t alphabet : {1U, 2U, 4U, 5U}) {
      texts.push_back(
          {"random " + std::to_string(length) + "/" + std::to_string(alphabet), {random_bases(length, alphabet, rng)}});
    }
  }
  Contigs many;
  for (std::size_t i = 0; i < 700; ++i) many.push_back(random_bases(1 + i % 5, 1 + i % 4, rng));
  texts.push_back({"700 short contigs", std::move(many)});
  return texts;
}

/// A random text with repeats, N and contig boundaries, for comparing backends with each other.
inline Contigs big_text(std::size_t sequence, unsigned seed) {
  std::mt19937 rng(seed);
  Contigs contigs;
  const std::string repeat = random_bases(3000, 4, rng);
  for (std::size_t made = 0; made < sequence;) {
    std::string contig = random_bases(1 + rng() % (sequence / 8), 4, rng);
    contig += std::string(rng() % 50, 'N') + repeat + random_bases(rng() % 3000, 2, rng) + std::string(200, 'T');
    made += contig.size();
    contigs.push_back(std::move(contig));
  }
  return contigs;
}

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace warpseed::test
