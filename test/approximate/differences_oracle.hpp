// Finds patterns with mismatches or edits by comparing characters at every position of the contigs.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "approximate/approximate_search.hpp"
#include "oracle.hpp"

namespace warpseed::test {

/// The bases that an IUPAC letter stands for.
inline std::string_view bases_of(char letter) {
  constexpr std::string_view letters = "ACGTRYSWKMBDHVN";
  constexpr std::string_view bases[] = {"A",  "C",  "G",   "T",   "AG",  "CT",  "CG",  "AT",
                                        "GT", "AC", "CGT", "AGT", "ACT", "ACG", "ACGT"};
  const std::size_t at = letters.find(letter);
  if (at == std::string_view::npos) throw std::invalid_argument("bases_of: not an IUPAC letter");
  return bases[at];
}

inline bool can_be(char letter, char base) {
  return bases_of(letter).find(base) != std::string_view::npos;
}

inline std::string iupac_reverse_complement(std::string pattern) {
  constexpr std::string_view letters = "ACGTRYSWKMBDHVN", complements = "TGCAYRSWMKVHDBN";
  std::reverse(pattern.begin(), pattern.end());
  for (char& letter : pattern) letter = complements[letters.find(letter)];
  return pattern;
}

inline std::string reversed(std::string sequence) {
  std::reverse(sequence.begin(), sequence.end());
  return sequence;
}

/// A stretch of a contig without N, as long as possible.
struct Stretch {
  std::uint64_t contig = 0, offset = 0;
  std::string bases;
};

inline std::vector<Stretch> stretches_of(const Contigs& contigs) {
  std::vector<Stretch> stretches;
  for (std::size_t contig = 0; contig < contigs.size(); ++contig) {
    const std::string& letters = contigs[contig];
    std::size_t begin = letters.find_first_not_of('N');
    while (begin != std::string::npos) {
      const std::size_t end = std::min(letters.find('N', begin), letters.size());
      stretches.push_back({contig, begin, letters.substr(begin, end - begin)});
      begin = letters.find_first_not_of('N', end);
    }
  }
  return stretches;
}

/// Bases at both ends of a pattern that are to match, without gaps next to them on their outer side or within.
struct ExactEnds {
  std::size_t left = 0, right = 0;

  ExactEnds mirrored() const { return {right, left}; }
};

/// table[i][j]: the least edits between the first i letters of the pattern and the first j bases of the text, or, with
/// a free begin, any of the strings that end there.
using EditTable = std::vector<std::vector<std::uint32_t>>;

inline EditTable edit_table(const std::string& pattern, const std::string& text, bool free_begin,
                            ExactEnds exact = {}) {
  constexpr std::uint32_t never = 1'000'000;
  EditTable table(pattern.size() + 1, std::vector<std::uint32_t>(text.size() + 1));
  const auto gap = [&](bool is_exact) { return is_exact ? never : 1U; };
  for (std::uint32_t j = 0; j <= text.size(); ++j) table[0][j] = free_begin ? 0 : j * gap(exact.left > 0);
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const bool is_exact = i < exact.left || i + exact.right >= pattern.size();
    const bool in_text = i + 1 < exact.left || i + 1 + exact.right > pattern.size();  // a gap after this base
    std::array<std::uint32_t, 256> differs;
    differs.fill(gap(is_exact));
    for (const char base : bases_of(pattern[i])) differs[static_cast<unsigned char>(base)] = 0;
    const auto& above = table[i];
    auto& row = table[i + 1];
    row[0] = above[0] + gap(is_exact);
    for (std::size_t j = 0; j < text.size(); ++j) {
      const std::uint32_t aligned = above[j] + differs[static_cast<unsigned char>(text[j])];
      row[j + 1] = std::min({aligned, above[j + 1] + gap(is_exact), row[j] + gap(in_text)});
    }
  }
  return table;
}

/// An end of an alignment within a text, and its differences.
struct OracleEnd {
  std::uint64_t end = 0;
  std::uint32_t differences = 0;

  friend bool operator==(const OracleEnd&, const OracleEnd&) = default;
};

/// The ends that are kept, by (differences, end): those with no kept end at most `distance` away. Sorted by end.
inline std::vector<OracleEnd> thinned(std::vector<OracleEnd> ends, std::uint64_t distance) {
  std::stable_sort(ends.begin(), ends.end(),
                   [](const OracleEnd& a, const OracleEnd& b) { return a.differences < b.differences; });
  std::vector<OracleEnd> kept;
  for (const OracleEnd& end : ends) {
    const bool free = std::none_of(kept.begin(), kept.end(), [&](const OracleEnd& other) {
      return std::max(end.end, other.end) - std::min(end.end, other.end) <= distance;
    });
    if (free) kept.push_back(end);
  }
  std::sort(kept.begin(), kept.end(), [](const OracleEnd& a, const OracleEnd& b) { return a.end < b.end; });
  return kept;
}

/// Where the alignment begins that ends at `end` with so few differences: of those with the fewest edits the one of the
/// length nearest the pattern's, then the longest.
inline std::uint64_t best_begin(const std::string& pattern, const std::string& text, const OracleEnd& at,
                                ExactEnds exact = {}) {
  const std::uint64_t end = at.end, longest = std::min<std::uint64_t>(end, pattern.size() + at.differences);
  const std::string before = reversed(text.substr(end - longest, longest));
  const auto edits = edit_table(reversed(pattern), before, false, exact.mirrored()).back();
  std::optional<std::array<std::uint64_t, 3>> best;  // edits, difference of the lengths, length from long to short
  for (std::uint64_t length = 0; length <= longest; ++length) {
    const std::uint64_t unlike = std::max(pattern.size(), length) - std::min(pattern.size(), length);
    const std::array<std::uint64_t, 3> found = {edits[length], unlike, longest - length};
    if (!best || found < *best) best = found;
  }
  return end - (longest - (*best)[2]);
}

/// An occurrence in a contig.
struct OracleHit {
  std::uint64_t contig = 0, begin = 0;
  bool reverse = false;
  std::uint64_t end = 0;
  std::uint32_t differences = 0;

  friend auto operator<=>(const OracleHit&, const OracleHit&) = default;
};

/// A pattern's mismatches with a text of its length; nothing if one is among its first or last bases that are to match.
inline std::optional<std::uint32_t> allowed_mismatches(std::string_view text, const std::string& pattern,
                                                       std::size_t exact_left, std::size_t exact_right) {
  std::uint32_t mismatches = 0;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (can_be(pattern[i], text[i])) continue;
    if (i < exact_left || i + exact_right >= pattern.size()) return {};
    ++mismatches;
  }
  return mismatches;
}

/// Occurrences in one stretch, as begins and ends within it. reverse: of a pattern that is a reverse complement.
inline std::vector<std::pair<std::uint64_t, OracleEnd>> hits_in(const std::string& text, const std::string& pattern,
                                                                const approximate::SearchOptions& options,
                                                                bool reverse) {
  std::vector<std::pair<std::uint64_t, OracleEnd>> hits;
  const ExactEnds forward = {options.exact_begin, options.exact_end}, exact = reverse ? forward.mirrored() : forward;
  if (options.metric == approximate::Metric::mismatches) {
    for (std::uint64_t begin = 0; begin + pattern.size() <= text.size(); ++begin) {
      const auto mismatches =
          allowed_mismatches(std::string_view(text).substr(begin, pattern.size()), pattern, exact.left, exact.right);
      if (mismatches && *mismatches <= options.differences)
        hits.push_back({begin, {begin + pattern.size(), *mismatches}});
    }
    return hits;
  }
  const auto edits = edit_table(pattern, text, true, exact).back();
  std::vector<OracleEnd> ends;
  for (std::uint64_t end = 0; end <= text.size(); ++end) {
    if (edits[end] <= options.differences) ends.push_back({end, edits[end]});
  }
  for (const OracleEnd& end : thinned(ends, options.differences)) {
    hits.push_back({best_begin(pattern, text, end, exact), end});
  }
  return hits;
}

/// All occurrences on the strands that are searched, in order.
inline std::vector<OracleHit> expected_hits(const Contigs& contigs, const std::string& pattern,
                                            const approximate::SearchOptions& options) {
  std::vector<OracleHit> hits;
  if (pattern.empty()) return hits;
  for (const bool reverse : {false, true}) {
    if (options.strands == (reverse ? Strands::forward : Strands::reverse)) continue;
    const std::string searched = reverse ? iupac_reverse_complement(pattern) : pattern;
    for (const Stretch& stretch : stretches_of(contigs)) {
      for (const auto& [begin, end] : hits_in(stretch.bases, searched, options, reverse)) {
        hits.push_back({stretch.contig, stretch.offset + begin, reverse, stretch.offset + end.end, end.differences});
      }
    }
  }
  std::sort(hits.begin(), hits.end());
  return hits;
}

/// What is wrong with the operations of an alignment of a pattern to a whole text; empty if nothing is. Gaps must be
/// leftmost: from the right end, there is none where the fewest edits can be had without it.
inline std::string fault_of(const std::string& operations, const std::string& pattern, const std::string& text,
                            ExactEnds exact = {}) {
  const EditTable edits = edit_table(pattern, text, false, exact);
  std::size_t i = pattern.size(), j = text.size();
  std::uint32_t left = edits[i][j];
  for (auto operation = operations.rbegin(); operation != operations.rend(); ++operation) {
    const bool pairs = *operation == '=' || *operation == 'X';
    if (!pairs && *operation != 'I' && *operation != 'D') return "unknown operation";
    if ((*operation != 'D' && i == 0) || (*operation != 'I' && j == 0)) return "too many columns";
    const bool equal = i > 0 && j > 0 && can_be(pattern[i - 1], text[j - 1]);
    if (pairs && (*operation == '=') != equal) return "a pair is not what its operation says";
    if (!pairs && i > 0 && j > 0 && edits[i - 1][j - 1] + !equal == left) return "a gap is not leftmost";
    i -= *operation != 'D';
    j -= *operation != 'I';
    left -= *operation != '=';
    if (edits[i][j] != left) return "too many edits";
  }
  return i == 0 && j == 0 ? "" : "too few columns";
}

/// The same for an alignment without gaps.
inline std::string fault_of_ungapped(const std::string& operations, const std::string& pattern,
                                     const std::string& text) {
  if (operations.size() != pattern.size() || operations.size() != text.size()) return "lengths differ";
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (operations[i] != (can_be(pattern[i], text[i]) ? '=' : 'X')) return "wrong operation";
  }
  return "";
}

}  // namespace warpseed::test
