#include "overlap/longest/longest.hpp"

#include <fmt/format.h>
#include <oneapi/tbb/parallel_sort.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <tuple>

#include "core/memory.hpp"
#include "core/parallel.hpp"
#include "overlap/longest/lcp_intervals.hpp"
#include "suffix/compact_lcp.hpp"
#include "suffix/suffix_array.hpp"

namespace warpseed::overlap {

namespace {

/// Numbers the pairs of sequences.
class PairTable {
 public:
  PairTable(const SequenceText& text, bool within)
      : targets_(text.targets().sequences.size()),
        queries_(text.queries().sequences.size()),
        self_(text.is_self()),
        within_(within) {}

  std::uint64_t targets() const { return targets_; }
  std::uint64_t size() const { return targets_ * queries_; }
  std::uint64_t number(std::uint64_t target, std::uint64_t query) const { return target * queries_ + query; }
  std::uint64_t first_query(std::uint64_t target) const { return !self_ ? 0 : within_ ? target : target + 1; }
  std::uint64_t query_count() const { return queries_; }

 private:
  std::uint64_t targets_, queries_;
  bool self_, within_;
};

/// A region found for a pair, in text positions.
struct Found {
  std::uint64_t pair;
  TextPos target, query;
  std::uint64_t length, target_count, query_count;
};

template <class Pos>
class LongestSearch {
 public:
  LongestSearch(const SequenceText& text, const LongestOptions& options, const Backend& backend)
      : text_(text), pairs_(text, options.within), threads_(backend.threads) {
    require_memory(pairs_.size() * sizeof(Pos), fmt::format("a table of {} pairs of sequences", pairs_.size()),
                   "compare fewer sequences at once");
    suffixes_ = suffix::suffix_array<Pos>(text.genome(), backend);
    lcp_ = suffix::compact_lcp_array(text.genome(), suffixes_, backend);
    longest_.assign(pairs_.size(), 0);
  }

  /// Goes from long words to short until every pair has a common word. Most meet among the few long words, or
  /// by chance at a length of about the logarithm of the text.
  std::vector<Found> run() {
    std::vector<Found> found;
    below_ = std::numeric_limits<Pos>::max();
    for (const Pos floor : floors()) {
      std::vector<Found> longest = process_words(floor);
      std::erase_if(longest, [&](const Found& one) { return one.length < longest_[one.pair]; });
      found.insert(found.end(), longest.begin(), longest.end());
      if (list_unmatched() == 0) break;
      below_ = floor;
    }
    return found;
  }

 private:
  using InContig = ContigPositions<Pos>;
  using ByContig = std::span<const InContig>;

  /// The minimum word length of each round.
  std::vector<Pos> floors() const {
    Pos by_chance = 1;
    for (std::uint64_t symbols = suffixes_.size(); symbols > 1; symbols /= 4) ++by_chance;
    std::vector<Pos> floors = {static_cast<Pos>(4 * by_chance)};
    const Pos last = by_chance > 6 ? by_chance - 5 : 1;
    for (Pos floor = by_chance; floor >= last; --floor) floors.push_back(floor);
    if (floors.back() > 1) floors.push_back(1);
    return floors;
  }

  std::uint64_t sequence_of(std::uint64_t contig) const {
    if (contig >= text_.reverse_contig()) return contig - text_.reverse_contig();
    return contig >= text_.query_contig() ? contig - text_.query_contig() : contig;
  }

  /// The regions that this round's words add: the longest of each unmet pair, and candidates that prove shorter.
  std::vector<Found> process_words(Pos floor) {
    constexpr std::uint64_t rows_per_batch = 1 << 16;
    std::vector<std::vector<Found>> outputs(suffixes_.size() / rows_per_batch + 1);
    const auto contig_of = [&](Pos at) { return text_.contig_of(at); };
    for_blocks(threads_, suffixes_.size(), rows_per_batch, [&](std::uint64_t begin, std::uint64_t end) {
      std::vector<Found>& out = outputs[begin / rows_per_batch];
      LcpIntervals<Pos>(suffixes_, lcp_, floor).visit(begin, end, contig_of, [&](Pos length, ByContig positions) {
        if (length >= below_) return;
        for_each_pair(positions,
                      [&](const InContig& t, const InContig& q, std::uint64_t pair) { add(t, q, pair, length, out); });
      });
    });
    std::vector<Found> all;
    for (auto& output : outputs) {
      all.insert(all.end(), output.begin(), output.end());
      output = {};
    }
    return all;
  }

  /// Calls work(target position, query position, pair) for every pair in which both have the word and that may be unmet.
  /// Takes per target as many steps as there are positions, or as there are unmet pairs.
  template <class Work>
  void for_each_pair(ByContig positions, const Work& work) const {
    for (auto target = positions.begin(); target != positions.end() && target->contig < pairs_.targets(); ++target) {
      if (!unmatched_.empty() &&
          unmatched_[target->contig].size() * 4 < static_cast<std::uint64_t>(positions.end() - target)) {
        for_each_unmatched(positions, *target, work);
      } else {
        each_position(positions, target, work);
      }
    }
  }

  template <class Work>
  void each_position(ByContig positions, typename ByContig::iterator target, const Work& work) const {
    const std::uint64_t first = pairs_.first_query(target->contig);
    for (auto query = target; query != positions.end(); ++query) {
      if (!text_.is_self() && query->contig < pairs_.targets()) continue;
      const std::uint64_t sequence = sequence_of(query->contig);
      if (sequence >= first) work(*target, *query, pairs_.number(target->contig, sequence));
    }
  }

  template <class Work>
  void for_each_unmatched(ByContig positions, const InContig& target, const Work& work) const {
    for (const std::uint32_t sequence : unmatched_[target.contig]) {
      for (const std::uint64_t contig : contigs_of(sequence)) {
        const auto query =
            std::lower_bound(positions.begin(), positions.end(), contig,
                             [](const InContig& position, std::uint64_t at) { return position.contig < at; });
        if (query == positions.end() || query->contig != contig) continue;
        work(target, *query, pairs_.number(target.contig, sequence));
      }
    }
  }

  /// The contigs of a query, forward and reverse; the same contig twice if only one strand is present.
  std::array<std::uint64_t, 2> contigs_of(std::uint64_t sequence) const {
    const bool forward = text_.is_self() || text_.reverse_contig() > text_.query_contig();
    const bool reverse = text_.contig_count() > text_.reverse_contig();
    const std::uint64_t first = (text_.is_self() ? 0 : text_.query_contig()) + sequence;
    const std::uint64_t second = text_.reverse_contig() + sequence;
    return {forward ? first : second, reverse && forward ? second : text_.contig_count()};
  }

  /// True if both positions are the same occurrence: a repeat within a sequence needs two.
  static bool is_same_position(const InContig& target, const InContig& query) {
    return target.contig == query.contig && target.count < 2;
  }

  /// The first occurrence in the query, on its forward strand; the second one if both positions are in one contig.
  Pos first_position(const InContig& target, const InContig& query) const {
    if (query.contig >= text_.reverse_contig()) return query.last;
    return target.contig == query.contig ? query.second : query.first;
  }

  /// Reports a common word unless a longer one is known.
  void add(const InContig& target, const InContig& query, std::uint64_t pair, Pos length, std::vector<Found>& out) {
    if (is_same_position(target, query)) return;
    std::atomic_ref<Pos> longest(longest_[pair]);
    Pos known = longest.load(std::memory_order_relaxed);
    while (known < length && !longest.compare_exchange_weak(known, length, std::memory_order_relaxed)) continue;
    if (known > length) return;
    out.push_back({pair, target.first, first_position(target, query), length, target.count, query.count});
  }

  /// Lists the pairs without a common word and returns their number.
  std::uint64_t list_unmatched() {
    std::uint64_t count = 0;
    unmatched_ = std::vector<std::vector<std::uint32_t>>(pairs_.targets());
    for (std::uint64_t target = 0; target < pairs_.targets(); ++target) {
      for (std::uint64_t query = pairs_.first_query(target); query < pairs_.query_count(); ++query) {
        if (longest_[pairs_.number(target, query)] > 0) continue;
        unmatched_[target].push_back(static_cast<std::uint32_t>(query));
        ++count;
      }
    }
    return count;
  }

  const SequenceText& text_;
  PairTable pairs_;
  int threads_;
  std::vector<Pos> suffixes_;
  suffix::CompactLcp<Pos> lcp_;
  std::vector<Pos> longest_;  // [pairs] bases of the longest common word so far
  std::vector<std::vector<std::uint32_t>>
      unmatched_;  // [targets] queries without a common word so far; empty in the first round
  Pos below_ = 0;  // words of at least this length belong to earlier rounds
};

/// Sort key of the results; equal ones are one region found from both ends.
auto order(const LongestRegion& found) {
  const CommonRegion& region = found.region;
  return std::tuple(region.target, region.query, region.target_begin, region.reverse, region.query_begin);
}

LongestRegion to_region(const SequenceText& text, const Found& found) {
  LongestRegion result{text.region(found.target, found.query, found.length), found.target_count, found.query_count};
  CommonRegion& region = result.region;
  if (text.is_self() && region.target == region.query && region.target_begin > region.query_begin) {
    std::swap(region.target_begin, region.query_begin);
    std::swap(result.target_count, result.query_count);
  }
  return result;
}

template <class Pos>
std::vector<LongestRegion> search(const SequenceText& text, const LongestOptions& options, const Backend& backend) {
  const std::vector<Found> found = LongestSearch<Pos>(text, options, backend).run();
  std::vector<LongestRegion> regions(found.size());
  constexpr std::uint64_t at_once = 1 << 14;
  for_blocks(backend.threads, found.size(), at_once, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) regions[i] = to_region(text, found[i]);
  });
  tbb::task_arena(backend.threads).execute([&] {
    tbb::parallel_sort(regions, [](const auto& a, const auto& b) { return order(a) < order(b); });
  });
  const auto same = [&](const LongestRegion& a, const LongestRegion& b) {
    const bool one_pair = a.region.target == b.region.target && a.region.query == b.region.query;
    return options.ties ? order(a) == order(b) : one_pair;
  };
  regions.erase(std::unique(regions.begin(), regions.end(), same), regions.end());
  return regions;
}

}  // namespace

std::vector<LongestRegion> longest_regions(const SequenceText& text, const LongestOptions& options,
                                           const Backend& backend) {
  if (!fits_narrow(text.genome().text.size)) return search<std::uint64_t>(text, options, backend);
  return search<std::uint32_t>(text, options, backend);
}

}  // namespace warpseed::overlap
