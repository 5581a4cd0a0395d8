#include "approximate/end_search.hpp"

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <stdexcept>

#include "approximate/entry.hpp"
#include "approximate/found_end.hpp"
#include "approximate/scan_table.hpp"
#include "approximate/text_scan.hpp"
#include "approximate/trie_core.hpp"
#include "approximate/verify_node_core.hpp"
#include "core/memory.hpp"
#include "core/parallel.hpp"
#include "core/prefetch.hpp"
#include "index/run_interleaved.hpp"

namespace warpseed::approximate {

namespace {

constexpr std::uint64_t patterns_each = 32;  // strand patterns searched together: enough nodes to hide memory latency
constexpr std::uint64_t rows_each = 4096;    // rows located and verified together
constexpr std::size_t prefetch_distance = 8;

/// A row to verify.
struct Candidate {
  Row row = 0;
  std::uint32_t node = 0;  // index of its leaf
  TextPos position = 0;    // of the row
};

/// The search of some patterns of a batch by one thread.
template <class States>
class GroupSearch {
 public:
  GroupSearch(const Target& target, const StrandBatchView& batch, const SearchOptions& options)
      : target_(target), batch_(batch), options_(options) {}

  /// The ends of patterns [first, last), by pattern.
  std::vector<FoundEnd> find(std::uint64_t first, std::uint64_t last) {
    first_ = first;
    given_up_.assign(last - first, false);
    for (std::uint64_t i = first; i < last; ++i) start(static_cast<std::uint32_t>(i));
    nodes_.swap(next_);
    while (!nodes_.empty()) advance();
    verify();
    keep_best(found_);
    return std::move(found_);
  }

  /// Of the same patterns.
  std::vector<std::uint32_t> given_up() const {
    std::vector<std::uint32_t> patterns;
    for (std::uint64_t i = 0; i < given_up_.size(); ++i) {
      if (given_up_[i]) patterns.push_back(static_cast<std::uint32_t>(first_ + i));
    }
    return patterns;
  }

 private:
  using SearchNode = Node<States>;

  void start(std::uint32_t pattern) {
    const StrandPattern& at = batch_.patterns[pattern];
    for (std::uint32_t part = at.first_part; part < at.first_part + at.part_count; ++part) {
      const SearchNode node = first_node<States>(target_.fm, batch_, pattern, part);
      if (!node.rows.empty()) add_node(node, batch_.parts[part]);
    }
  }

  void add_node(const SearchNode& node, const Part& part) {
    const bool many = node.rows.count() > batch_.patterns[node.pattern].give_up_rows;
    if (many && is_of_repeat(node, part, target_.fm.row_count())) {
      given_up_[node.pattern - first_] = true;
    } else if (is_leaf(node, part)) {
      leaves_.push_back(node);
    } else {
      next_.push_back(node);
    }
  }

  bool is_given_up(const SearchNode& node) const { return given_up_[node.pattern - first_]; }

  /// Extends all nodes by one base.
  void advance() {
    next_.clear();
    typename States::Step step = {};
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (i + prefetch_distance < nodes_.size()) prefetch_rows(nodes_[i + prefetch_distance].rows);
      const SearchNode& node = nodes_[i];
      if (is_given_up(node)) continue;
      const Part& part = batch_.parts[node.part];
      const bool same_step = i > 0 && node.pattern == nodes_[i - 1].pattern && node.part == nodes_[i - 1].part;
      if (!same_step) step = States::step(batch_.pattern(node.pattern), part, node.length);
      const Extensions extensions = extend_all(target_.fm, node.rows);
      for (unsigned base = 0; base < 4; ++base) {
        SearchNode next;
        if (extend_node(node, step, base, extensions.rows[base], next)) add_node(next, part);
      }
    }
    nodes_.swap(next_);
    if (leaves_.size() >= rows_each) verify();
  }

  void prefetch_rows(RowRange rows) const {
    prefetch(&target_.fm.blocks[rows.begin / index::block_symbols]);
    prefetch(&target_.fm.blocks[rows.end / index::block_symbols]);
  }

  /// Verifies the rows of all leaves, and forgets these. Many rows are shared with threads that have no other work.
  void verify() {
    std::erase_if(leaves_, [&](const SearchNode& leaf) { return is_given_up(leaf); });
    std::vector<std::uint64_t> offsets = {0};
    for (const SearchNode& leaf : leaves_) offsets.push_back(offsets.back() + leaf.rows.count());
    require_memory_for(offsets.back(), options_.differences);
    const std::uint64_t rows = offsets.back(), chunks = (rows + rows_each - 1) / rows_each;
    std::vector<std::vector<FoundEnd>> found(chunks);
    const auto verify_chunk = [&](std::uint64_t i) {
      verify_rows(offsets, i * rows_each, std::min(rows, (i + 1) * rows_each), found[i]);
    };
    if (chunks < 4) {
      for (std::uint64_t i = 0; i < chunks; ++i) verify_chunk(i);
    } else {
      tbb::this_task_arena::isolate([&] { tbb::parallel_for(std::uint64_t{0}, chunks, verify_chunk); });
    }
    for (const auto& ends : found) found_.insert(found_.end(), ends.begin(), ends.end());
    leaves_.clear();
    compact();
  }

  /// Verifies rows [first, last) of all leaves. offsets: [leaves + 1] the rows before each leaf.
  void verify_rows(const std::vector<std::uint64_t>& offsets, std::uint64_t first, std::uint64_t last,
                   std::vector<FoundEnd>& found) const {
    std::vector<Candidate> candidates;
    candidates.reserve(last - first);
    auto leaf = static_cast<std::size_t>(std::upper_bound(offsets.begin(), offsets.end(), first) - offsets.begin()) - 1;
    for (std::uint64_t row = first; row < last; ++row) {
      while (row >= offsets[leaf + 1]) ++leaf;
      candidates.push_back({leaves_[leaf].rows.begin + (row - offsets[leaf]), static_cast<std::uint32_t>(leaf), 0});
    }
    locate(candidates);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (i + prefetch_distance < candidates.size()) {
        prefetch(target_.genome.text.words + candidates[i + prefetch_distance].position / 32);
      }
      verify_candidate(leaves_[candidates[i].node], candidates[i].position, found);
    }
  }

  /// Removes ends that were found several times, when they may be half of all.
  void compact() {
    if (found_.size() < compact_at_) return;
    keep_best(found_);
    compact_at_ = std::max(compact_at_, 2 * found_.size());
  }

  void locate(std::span<Candidate> candidates) const {
    struct State {
      index::Walk walk;
      Candidate* candidate = nullptr;
    };
    index::run_interleaved<State>(
        0, candidates.size(),
        [&](std::uint64_t item, State& state) {
          state = {{candidates[item].row, 0}, &candidates[item]};
          index::prefetch_row(target_.fm, state.walk.row);
        },
        [&](State& state) {
          const bool found = index::step_back(target_.fm, state.walk, state.candidate->position);
          if (!found) index::prefetch_row(target_.fm, state.walk.row);
          return !found;
        },
        [](const State&) {});
  }

  void verify_candidate(const SearchNode& leaf, TextPos position, std::vector<FoundEnd>& found) const {
    const std::uint64_t segment = text::segment_at(target_.genome, position);
    const TextPos begin = target_.genome.segments[segment].text_begin, end = target_.genome.separator_of(segment);
    verify_node(target_.genome.text, batch_, leaf, position, begin, end, options_.differences,
                [&](TextPos at, std::uint32_t differences) {
                  found.push_back({leaf.pattern, {at, differences}});
                });
  }

  const Target& target_;
  StrandBatchView batch_;
  SearchOptions options_;
  std::vector<SearchNode> nodes_, next_, leaves_;
  std::vector<FoundEnd> found_;
  std::uint64_t first_ = 0;
  std::vector<bool> given_up_;  // of the group's patterns
  std::size_t compact_at_ = 1 << 20;
};

/// Measured on one core; all scale with the number of threads.
SearchCosts costs_of(int threads) {
  const double share = 1.0 / threads;
  return {70 * share, 0.8 * share, 6 * share, 2.5 * share};
}

template <class States>
class CpuEndSearch : public EndSearch {
 public:
  CpuEndSearch(const Target& target, const Backend& backend, const SearchOptions& options)
      : target_(target), threads_(backend.threads), options_(options) {}

  EndBatch find(const StrandBatch& batch) override {
    const std::uint64_t count = batch.patterns.size();
    const auto table = ScanTable::make(batch, options_, target_.genome.text.size, costs_of(threads_));
    return table ? joined({scanned(table->view())}, count) : followed(batch);
  }

 private:
  std::vector<FoundEnd> scanned(const ScanView& table) const {
    std::vector<FoundEnd> found = scan_text(target_.genome, table, threads_);
    tbb::task_arena arena(threads_);
    arena.execute([&] { keep_best(found); });
    return found;
  }

  /// The search in the index.
  EndBatch followed(const StrandBatch& batch) {
    write_words(batch, threads_, words_);
    const std::uint64_t count = batch.patterns.size(), group = group_size(count);
    std::vector<std::vector<FoundEnd>> found((count + group - 1) / group);
    std::vector<std::vector<std::uint32_t>> given_up(found.size());
    for_blocks(threads_, count, group, [&](std::uint64_t begin, std::uint64_t end) {
      GroupSearch<States> search(target_, batch.view(words_), options_);
      found[begin / group] = search.find(begin, end);
      given_up[begin / group] = search.given_up();
    });
    EndBatch all = joined(found, count);
    for (const auto& patterns : given_up) all.given_up.insert(all.given_up.end(), patterns.begin(), patterns.end());
    return all;
  }

  /// Few patterns are spread over all threads.
  std::uint64_t group_size(std::uint64_t count) const {
    const std::uint64_t even = count / (static_cast<std::uint64_t>(threads_) * 8);
    return std::clamp<std::uint64_t>(even, 1, patterns_each);
  }

  EndBatch joined(const std::vector<std::vector<FoundEnd>>& found, std::uint64_t count) const {
    EndBatch batch;
    batch.of_patterns.resize(count);
    std::vector<std::uint64_t> starts = {0};
    for (const auto& group : found) starts.push_back(starts.back() + group.size());
    ZeroedArray<AlignmentEnd>& ends = batch.ends.emplace_back(starts.back());
    for_blocks(threads_, found.size(), 1, [&](std::uint64_t group, std::uint64_t) {
      const std::vector<FoundEnd>& from = found[group];
      AlignmentEnd* const to = ends.data() + starts[group];
      std::ranges::transform(from, to, &FoundEnd::end);
      for (std::size_t first = 0, end = 0; first < from.size(); first = end) {
        while (end < from.size() && from[end].pattern == from[first].pattern) ++end;
        batch.of_patterns[from[first].pattern] = {to + first, end - first};
      }
    });
    return batch;
  }

  Target target_;
  int threads_;
  SearchOptions options_;
  ZeroedArray<std::uint64_t> words_;  // of the patterns of a batch
};

}  // namespace

void require_memory_for(std::uint64_t rows, unsigned differences) {
  constexpr std::uint64_t bytes_each = sizeof(FoundEnd) + sizeof(AlignmentEnd);
  constexpr std::uint64_t many = 1 << 24;  // fewer are not worth asking the system
  if (differences > 0 || rows < many) return;
  require_memory(rows * bytes_each, "searching a pattern with many occurrences", "give it more bases");
}

std::unique_ptr<EndSearch> make_end_search(const Target& target, const Backend& backend, const SearchOptions& options) {
  if (options.differences > max_differences) throw std::invalid_argument("make_end_search: too many differences");
  if (options.metric == Metric::edits && options.bulges > 0) {
    throw std::invalid_argument("make_end_search: bulges need mismatches");
  }
  if (backend.kind == BackendKind::cuda) return cuda::make_end_search(target, backend, options);
  if (options.metric == Metric::mismatches) {
    return std::make_unique<CpuEndSearch<MismatchStates>>(target, backend, options);
  }
  return with_constant(options.differences, [&]<unsigned K>() -> std::unique_ptr<EndSearch> {
    return std::make_unique<CpuEndSearch<EditNodeStates<K>>>(target, backend, options);
  });
}

}  // namespace warpseed::approximate
