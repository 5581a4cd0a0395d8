// Finds maximal matches by comparing every position with every other, using the characters alone.
#pragma once

#include <algorithm>
#include <vector>

#include "oracle.hpp"
#include "overlap/matches/match_finder.hpp"
#include "warpseed/overlap.hpp"

namespace warpseed::test {

inline std::vector<overlap::SequenceFile> file_of(const Contigs& contigs, const std::string& path = "memory") {
  std::vector<overlap::SequenceFile> files;
  if (!contigs.empty()) files.emplace_back(path, genome_of(contigs));
  return files;
}

inline std::uint64_t occurrences(const Contigs& contigs, const std::string& pattern) {
  return positions_of(contigs, pattern).size();
}

struct MatchQuestion {
  Contigs targets, queries;  // no queries: the targets are compared with themselves
  Strands strands = Strands::both;
  MatchOptions options;
};

/// Adds the matches between a target and one strand of a query; positions are those of the given sequences.
inline void add_matches(const MatchQuestion& question, std::uint32_t target, std::uint32_t query,
                        const std::string& sequence, bool reverse, std::vector<CommonRegion>& found) {
  const std::string& t = question.targets[target];
  const auto equal = [&](std::size_t i, std::size_t j) {
    return i < t.size() && j < sequence.size() && t[i] == sequence[j] && t[i] != 'N';
  };
  for (std::size_t i = 0; i < t.size(); ++i) {
    for (std::size_t j = 0; j < sequence.size(); ++j) {
      if (!equal(i, j) || (i > 0 && j > 0 && equal(i - 1, j - 1))) continue;
      std::size_t length = 0;
      while (equal(i + length, j + length)) ++length;
      if (length < question.options.min_length) continue;
      const std::string bases = t.substr(i, length);
      const Uniqueness wanted = question.options.uniqueness;
      if (wanted != Uniqueness::any && occurrences(question.targets, bases) != 1) continue;
      if (wanted == Uniqueness::in_both && occurrences({sequence}, bases) != 1) continue;
      const std::uint64_t begin = reverse ? sequence.size() - j - length : j;
      found.push_back({target, query, i, begin, length, reverse});
    }
  }
}

/// All matches, sorted by every field. For a set with itself: forward ones only with the target before the query.
inline std::vector<CommonRegion> expected_matches(const MatchQuestion& question) {
  const bool self = question.queries.empty();
  const Contigs& queries = self ? question.targets : question.queries;
  std::vector<CommonRegion> found;
  for (std::uint32_t target = 0; target < question.targets.size(); ++target) {
    for (std::uint32_t query = 0; query < queries.size(); ++query) {
      if (question.strands != Strands::reverse || self) {
        add_matches(question, target, query, queries[query], false, found);
      }
      if (question.strands != Strands::forward) {
        add_matches(question, target, query, reverse_complement(queries[query]), true, found);
      }
    }
  }
  if (self) {
    std::erase_if(found, [](const CommonRegion& region) {
      return !region.reverse &&
             std::pair(region.target, region.target_begin) >= std::pair(region.query, region.query_begin);
    });
  }
  return found;
}

inline auto all_fields(const CommonRegion& region) {
  return std::tuple(region.target, region.target_begin, region.reverse, region.query, region.query_begin,
                    region.length);
}

inline void sort_by_all_fields(std::vector<CommonRegion>& regions) {
  std::sort(regions.begin(), regions.end(), [](const auto& a, const auto& b) { return all_fields(a) < all_fields(b); });
}

}  // namespace warpseed::test
