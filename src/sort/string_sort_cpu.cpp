#include "sort/string_sort_cpu.hpp"

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_sort.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <mutex>
#include <span>
#include <utility>

#include "core/parallel.hpp"

namespace warpseed::sort {

namespace {

/// A string with its next window, so that one cache line holds what is compared first.
struct Item {
  std::uint64_t window;  // zeros past the string's end
  std::uint32_t string;
  std::uint32_t symbols;  // of the string in the window; distinguishes its end from symbols with code 0

  bool same_window(const Item& other) const { return window == other.window && symbols == other.symbols; }
};

/// Ties are broken by input order, which makes any sort stable.
bool operator<(const Item& a, const Item& b) {
  if (a.window != b.window) return a.window < b.window;
  if (a.symbols != b.symbols) return a.symbols < b.symbols;
  return a.string < b.string;
}

template <class Text>
class CpuSorter {
 public:
  CpuSorter(const Strings<Text>& strings, int threads) : strings_(strings), threads_(threads), items_(strings.count) {}

  StringOrder sort() {
    StringOrder sorted;
    heads_.assign(items_.size(), 0);
    for_blocks(threads_, items_.size(), block, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end; ++i) items_[i] = item_of(static_cast<std::uint32_t>(i), 0);
    });
    tbb::task_arena arena(threads_);
    arena.execute([&] { sort_all(); });
    sorted.order.resize(items_.size());
    sorted.heads.assign(items_.size() / 32 + 1, 0xFFFFFFFFU);
    for_blocks(threads_, items_.size(), block, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end; ++i) {
        sorted.order[i] = items_[i].string;
        if (heads_[i] == 0) sorted.heads[i / 32] &= ~(1U << (i % 32));
      }
    });
    return sorted;
  }

 private:
  static constexpr std::uint64_t block = 1 << 16;  // a multiple of 32: no two threads share a word of heads
  static constexpr std::uint64_t min_task_strings = 1 << 12;
  static constexpr std::uint64_t few = 8;  // strings that are compared to their end

  Item item_of(std::uint32_t string, std::uint64_t depth) const {
    const std::uint64_t length = strings_.length(string), left = length > depth ? length - depth : 0;
    if (left == 0) return {0, string, 0};
    const std::uint64_t window = strings_.text.window(strings_.begin(string) + depth);
    if (left >= window_symbols<Text>) return {window, string, window_symbols<Text>};
    return {window & ~std::uint64_t{0} << (64 - symbol_bits<Text> * left), string, static_cast<std::uint32_t>(left)};
  }

  /// Items with their windows at `depth`; their strings share the first `depth` symbols.
  struct Job {
    std::span<Item> items;
    std::uint64_t depth;
  };

  /// A work list instead of recursion: strings that differ only every few symbols would need a deep stack.
  void sort_all() {
    std::vector<Job> large = {{items_, 0}};
    while (!large.empty()) {
      const std::vector<Job> now = std::exchange(large, {});
      std::mutex adding;
      tbb::parallel_for(std::size_t{0}, now.size(), [&](std::size_t i) {
        tbb::parallel_sort(now[i].items.begin(), now[i].items.end());
        const std::vector<std::uint64_t> borders = borders_of(now[i].items);
        tbb::parallel_for(std::size_t{0}, borders.size() - 1, [&](std::size_t k) {
          const auto part = now[i].items.subspan(borders[k], borders[k + 1] - borders[k]);
          std::vector<Job> found = sort_small({part, now[i].depth});
          const std::scoped_lock lock(adding);
          large.insert(large.end(), found.begin(), found.end());
        });
      });
    }
  }

  /// Splits sorted items into parts for tasks, at borders between runs.
  static std::vector<std::uint64_t> borders_of(std::span<const Item> items) {
    std::vector<std::uint64_t> borders = {0};
    for (std::uint64_t at = min_task_strings; at < items.size(); at += min_task_strings) {
      while (at < items.size() && items[at].same_window(items[at - 1])) ++at;
      if (at < items.size()) borders.push_back(at);
    }
    borders.push_back(items.size());
    return borders;
  }

  /// Finishes sorted items except for the large runs among them, which it returns.
  std::vector<Job> sort_small(Job sorted) {
    std::vector<Job> small, large;
    sort_runs(sorted, small, large);
    while (!small.empty()) {
      const Job job = small.back();
      small.pop_back();
      std::sort(job.items.begin(), job.items.end());
      sort_runs(job, small, large);
    }
    return large;
  }

  /// Runs with equal windows among sorted items: sorts short ones, lists the others for sorting by later symbols.
  void sort_runs(Job sorted, std::vector<Job>& small, std::vector<Job>& large) {
    const std::span<Item> items = sorted.items;
    for (std::uint64_t begin = 0, end = 0; begin < items.size(); begin = end) {
      for (end = begin + 1; end < items.size() && items[end].same_window(items[begin]); ++end) {
      }
      const auto run = items.subspan(begin, end - begin);
      head(run.front()) = 1;
      if (run.size() == 1 || run.front().symbols < window_symbols<Text>) continue;  // single, or ended and equal
      const std::uint64_t depth = sorted.depth + window_symbols<Text>;
      if (run.size() <= few) {
        sort_whole(run, depth);
      } else if (const std::uint64_t common = common_symbols(run, depth); common != all_equal) {
        for (Item& item : run) item = item_of(item.string, common);
        (run.size() < min_task_strings ? small : large).push_back({run, common});
      }
    }
  }

  void sort_whole(std::span<Item> run, std::uint64_t depth) {
    std::sort(run.begin(), run.end(), [&](const Item& a, const Item& b) {
      const int order = part(strings_, a.string, b.string, depth).order;
      return order != 0 ? order < 0 : a.string < b.string;
    });
    for (std::uint64_t i = 1; i < run.size(); ++i) {
      if (part(strings_, run[i - 1].string, run[i].string, depth).order != 0) head(run[i]) = 1;
    }
  }

  static constexpr std::uint64_t all_equal = ~std::uint64_t{0};

  /// Number of symbols that all strings of a run share (the minimum over comparisons with the first); or all_equal.
  std::uint64_t common_symbols(std::span<const Item> run, std::uint64_t depth) const {
    std::uint64_t common = all_equal;
    for (std::uint64_t i = 1; i < run.size(); ++i) {
      const FirstDifference parting = part(strings_, run[0].string, run[i].string, depth, common);
      if (parting.order != 0) common = std::min(common, parting.common);
    }
    return common;
  }

  std::uint8_t& head(const Item& item) { return heads_[static_cast<std::uint64_t>(&item - items_.data())]; }

  Strings<Text> strings_;
  int threads_;
  std::vector<Item> items_;
  std::vector<std::uint8_t> heads_;  // 1: the string differs from the one before it
};

}  // namespace

template <class Text>
StringOrder sort_strings_on_cpu(const Strings<Text>& strings, int threads) {
  return CpuSorter<Text>(strings, threads).sort();
}

template StringOrder sort_strings_on_cpu(const Strings<ByteView>&, int);
template StringOrder sort_strings_on_cpu(const Strings<text::PackedView>&, int);

}  // namespace warpseed::sort
