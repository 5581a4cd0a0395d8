// Words and their places put together, wherever they were found.
#pragma once

#include <oneapi/tbb/parallel_sort.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "overlap/word_join.hpp"

namespace warpseed {

/// Keeps of each word's suffixes what matches may begin with.
template <class Pos>
class WordCollector {
 public:
  WordCollector(const SequenceText& text, const GenomeText& letters, const MatchOptions& options)
      : text_(text), letters_(letters), options_(options) {}

  /// Adds the suffixes of one word, if a match may begin with it. Those of the targets, and those of each query's
  /// contig, stand in the suffix array's order where uniqueness is asked for.
  void add(std::span<const Pos> suffixes) {
    if (!may_begin_match(suffixes)) return;
    const auto word = static_cast<Pos>(join.begins.size() - 1);
    depths_.assign(suffixes.size(), 0);
    if (options_.uniqueness != Uniqueness::any) find_depths(suffixes);
    for (std::size_t i = 0; i < suffixes.size(); ++i) {
      const Pos at = suffixes[i];
      if (is_start(at)) join.starts.push_back({at, word, depths_[i]});
      if (is_partner(at)) join.partners.push_back({at, depths_[i], static_cast<Pos>(base_before(letters_, at))});
    }
    const auto first = join.partners.begin() + static_cast<std::ptrdiff_t>(join.begins.back());
    std::sort(first, join.partners.end(), [](const auto& a, const auto& b) {
      return a.left != b.left ? a.left < b.left : a.position < b.position;
    });
    join.begins.push_back(join.partners.size());
  }

  WordJoin<Pos> join;

 private:
  bool is_target(Pos at) const { return at < text_.target_end(); }
  bool is_query(Pos at) const { return text_.is_self() || !is_target(at); }
  bool is_start(Pos at) const { return options_.by_query ? is_query(at) : is_target(at); }
  bool is_partner(Pos at) const { return options_.by_query ? is_target(at) : is_query(at); }

  bool may_begin_match(std::span<const Pos> suffixes) const {
    bool target = false, query = false, differ = false;
    const unsigned first_left = base_before(letters_, suffixes[0]);
    for (const Pos at : suffixes) {
      (is_target(at) ? target : query) = true;
      if (first_left == 4 || base_before(letters_, at) != first_left) differ = true;
      if (target && (query || text_.is_self()) && differ) return true;
    }
    return false;
  }

  /// How many bases a suffix shares with its neighbours among those that must not share a match's bases: among all
  /// targets, and among the queries of one contig.
  void find_depths(std::span<const Pos> suffixes) {
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < suffixes.size(); ++i) {
      if (is_target(suffixes[i])) rows.push_back(i);
    }
    find_depths_of(suffixes, rows);
    if (options_.uniqueness != Uniqueness::in_both) return;

    std::vector<std::pair<std::uint64_t, std::size_t>> queries;  // contig, row
    for (std::size_t i = 0; i < suffixes.size(); ++i) {
      if (!is_target(suffixes[i])) queries.push_back({text_.contig_of(suffixes[i]), i});
    }
    std::sort(queries.begin(), queries.end());
    for (auto begin = queries.begin(); begin != queries.end();) {
      rows.clear();
      const std::uint64_t contig = begin->first;
      for (; begin != queries.end() && begin->first == contig; ++begin) rows.push_back(begin->second);
      find_depths_of(suffixes, rows);
    }
  }

  void find_depths_of(std::span<const Pos> suffixes, std::span<const std::size_t> rows) {
    for (std::size_t i = 1; i < rows.size(); ++i) {
      const auto shared = static_cast<Pos>(shared_symbols(letters_, suffixes[rows[i - 1]], suffixes[rows[i]]));
      depths_[rows[i - 1]] = std::max(depths_[rows[i - 1]], shared);
      depths_[rows[i]] = shared;
    }
  }

  const SequenceText& text_;
  GenomeText letters_;
  const MatchOptions& options_;
  std::vector<Pos> depths_;  // [suffixes of the word]
};

/// Puts parts together, each of words of its own, and the starts in order.
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

}  // namespace warpseed
