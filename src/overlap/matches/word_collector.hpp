// Collects words and their positions from either source.
#pragma once

#include <oneapi/tbb/parallel_sort.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "overlap/matches/word_join.hpp"
#include "warpseed/overlap.hpp"

namespace warpseed::overlap {

/// Keeps the suffixes of each word with which matches may begin.
template <class Pos>
class WordCollector {
 public:
  WordCollector(const SequenceText& text, const suffix::GenomeText& bases, const MatchOptions& options)
      : text_(text), bases_(bases), options_(options) {}

  /// Adds the suffixes of one word if a match may begin with it. For uniqueness they must be in suffix array order.
  void add(std::span<const Pos> suffixes) {
    if (!may_begin_match(suffixes)) return;
    if (options_.uniqueness == Uniqueness::any) {
      add_positions(suffixes);
    } else {
      add_unique(suffixes);
    }
  }

  WordJoin<Pos> join;

 private:
  bool is_target(Pos at) const { return at < text_.target_end(); }
  bool is_query(Pos at) const { return text_.is_self() || !is_target(at); }
  bool is_start(Pos at) const { return options_.by_query ? is_query(at) : is_target(at); }
  bool is_partner(Pos at) const { return options_.by_query ? is_target(at) : is_query(at); }

  /// Adds a word to the join.
  void add_positions(std::span<const Pos> positions) {
    const auto word = static_cast<Pos>(join.begins.size() - 1);
    for (const Pos at : positions) {
      if (is_start(at)) join.starts.push_back({at, word});
      if (is_partner(at)) join.partners.push_back({at, static_cast<Pos>(suffix::base_before(bases_, at))});
    }
    const auto first = join.partners.begin() + static_cast<std::ptrdiff_t>(join.begins.back());
    std::sort(first, join.partners.end(), [](const auto& a, const auto& b) {
      return a.left != b.left ? a.left < b.left : a.position < b.position;
    });
    join.begins.push_back(join.partners.size());
  }

  /// Adds a word for each target that begins a unique match: its position and those of its queries.
  void add_unique(std::span<const Pos> suffixes) {
    find_depths(suffixes);
    std::vector<std::pair<Pos, Pos>> matches;  // target, query
    const auto add_if_unique = [&](std::size_t target, std::size_t query) {
      const PositionDepth<Pos> target_position = {suffixes[target], depths_[target]};
      const PositionDepth<Pos> query_position = {suffixes[query], depths_[query]};
      if (is_unique_match(bases_, target_position, query_position, options_.min_length))
        matches.push_back({suffixes[target], suffixes[query]});
    };
    std::size_t next = 0;  // among the targets
    for (std::size_t i = 0; i < suffixes.size(); ++i) {
      if (is_target(suffixes[i])) {
        ++next;
        continue;
      }
      if (next > 0) add_if_unique(targets_[next - 1], i);
      if (next < targets_.size()) add_if_unique(targets_[next], i);
    }
    std::sort(matches.begin(), matches.end());
    std::vector<Pos> positions;
    for (std::size_t i = 0; i < matches.size(); ++i) {
      if (positions.empty()) positions.push_back(matches[i].first);
      positions.push_back(matches[i].second);
      if (i + 1 < matches.size() && matches[i + 1].first == matches[i].first) continue;
      add_positions(positions);
      positions.clear();
    }
  }

  bool may_begin_match(std::span<const Pos> suffixes) const {
    bool target = false, query = false, differ = false;
    const unsigned first_left = suffix::base_before(bases_, suffixes[0]);
    for (const Pos at : suffixes) {
      (is_target(at) ? target : query) = true;
      if (first_left == 4 || suffix::base_before(bases_, at) != first_left) differ = true;
      if (target && (query || text_.is_self()) && differ) return true;
    }
    return false;
  }

  /// How many bases a suffix shares with its neighbours among those that must not share a whole match: among all
  /// targets, and among the queries of one contig.
  void find_depths(std::span<const Pos> suffixes) {
    depths_.assign(suffixes.size(), 0);
    targets_.clear();
    for (std::size_t i = 0; i < suffixes.size(); ++i) {
      if (is_target(suffixes[i])) targets_.push_back(i);
    }
    find_depths_of(suffixes, targets_);
    if (options_.uniqueness != Uniqueness::in_both) return;

    std::vector<std::pair<std::uint64_t, std::size_t>> queries;  // contig, row
    for (std::size_t i = 0; i < suffixes.size(); ++i) {
      if (!is_target(suffixes[i])) queries.push_back({text_.contig_of(suffixes[i]), i});
    }
    std::sort(queries.begin(), queries.end());
    std::vector<std::size_t> rows;
    for (auto begin = queries.begin(); begin != queries.end();) {
      rows.clear();
      const std::uint64_t contig = begin->first;
      for (; begin != queries.end() && begin->first == contig; ++begin) rows.push_back(begin->second);
      find_depths_of(suffixes, rows);
    }
  }

  void find_depths_of(std::span<const Pos> suffixes, std::span<const std::size_t> rows) {
    for (std::size_t i = 1; i < rows.size(); ++i) {
      const auto shared = static_cast<Pos>(
          suffix::shared_symbols(bases_, suffixes[rows[i - 1]], suffixes[rows[i]], options_.min_length));
      depths_[rows[i - 1]] = std::max(depths_[rows[i - 1]], shared);
      depths_[rows[i]] = shared;
    }
  }

  const SequenceText& text_;
  suffix::GenomeText bases_;
  const MatchOptions& options_;
  std::vector<Pos> depths_;           // [suffixes of the word]
  std::vector<std::size_t> targets_;  // of these suffixes
};

/// Concatenates parts that have no word in common, and sorts the starts.
template <class Pos>
WordJoin<Pos> assemble(std::vector<WordJoin<Pos>>& parts, const SequenceText& text, const MatchOptions& options,
                       int threads) {
  WordJoin<Pos> all;
  for (WordJoin<Pos>& part : parts) {
    const auto words = static_cast<Pos>(all.begins.size() - 1);
    const std::uint64_t partners = all.partners.size();
    for (WordStart<Pos> start : part.starts) {
      start.word += words;
      all.starts.push_back(start);
    }
    for (std::size_t i = 1; i < part.begins.size(); ++i) all.begins.push_back(partners + part.begins[i]);
    all.partners.insert(all.partners.end(), part.partners.begin(), part.partners.end());
    part = {};
  }
  tbb::task_arena(threads).execute(
      [&] { tbb::parallel_sort(all.starts, [](const auto& a, const auto& b) { return a.position < b.position; }); });
  all.shortest = options.min_length;
  all.self = text.is_self();
  all.by_query = options.by_query;
  return all;
}

}  // namespace warpseed::overlap
