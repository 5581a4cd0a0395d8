#include "index/searcher.hpp"

#include <stdexcept>

#include "core/parallel.hpp"
#include "index/entry.hpp"
#include "index/run_interleaved.hpp"

namespace warpseed::index {

namespace {

constexpr std::uint64_t items_each = 1024;  // block of work: balances overhead and load

class CpuSearcher : public Searcher {
 public:
  CpuSearcher(const FmView& fm, int threads) : fm_(fm), threads_(threads) {}

  void find(const PatternBatch& patterns, std::span<RowRange> rows) override {
    if (rows.size() != patterns.count()) throw std::invalid_argument("find: one RowRange a pattern");
    for_blocks(threads_, rows.size(), items_each,
               [&](std::uint64_t begin, std::uint64_t end) { find_part(patterns, begin, end, rows); });
  }

  void locate(std::span<const Row> rows, std::span<TextPos> positions) override {
    if (rows.size() != positions.size()) throw std::invalid_argument("locate: one position a row");
    for_blocks(threads_, rows.size(), items_each,
               [&](std::uint64_t begin, std::uint64_t end) { locate_part(rows, begin, end, positions); });
  }

 private:
  void prefetch(Row row) const { __builtin_prefetch(fm_.blocks.data + row / block_symbols); }

  void find_part(const PatternBatch& patterns, std::uint64_t begin, std::uint64_t end, std::span<RowRange> rows) const {
    struct State {
      Search search;
      const std::uint8_t* codes;
      std::uint64_t item;
    };
    run_interleaved<State>(
        begin, end,
        [&](std::uint64_t item, State& state) {
          const std::uint64_t first = patterns.offsets[item];
          state.codes = patterns.codes.data() + first;
          state.search = start_search(fm_, state.codes, patterns.offsets[item + 1] - first);
          state.item = item;
        },
        [&](State& state) {
          const bool more = step_search(fm_, state.codes, state.search);
          prefetch(state.search.rows.begin);
          prefetch(state.search.rows.end);
          return more;
        },
        [&](const State& state) { rows[state.item] = state.search.rows; });
  }

  void locate_part(std::span<const Row> rows, std::uint64_t begin, std::uint64_t end,
                   std::span<TextPos> positions) const {
    struct State {
      Walk walk;
      TextPos position;
      std::uint64_t item;
    };
    run_interleaved<State>(
        begin, end,
        [&](std::uint64_t item, State& state) {
          state = {{rows[item], 0}, 0, item};
          prefetch(rows[item]);
        },
        [&](State& state) {
          const bool found = step_back(fm_, state.walk, state.position);
          prefetch(state.walk.row);
          return !found;
        },
        [&](const State& state) { positions[state.item] = state.position; });
  }

  FmView fm_;
  int threads_;
};

}  // namespace

void PatternBatch::add(std::span<const std::uint8_t> pattern) {
  codes.insert(codes.end(), pattern.begin(), pattern.end());
  offsets.push_back(codes.size());
}

std::unique_ptr<Searcher> make_searcher(const FmView& fm, const Backend& backend) {
  switch (backend.kind) {
    case BackendKind::cpu: return std::make_unique<CpuSearcher>(fm, backend.threads);
    case BackendKind::cuda: return cuda::make_searcher(fm, backend);
  }
  throw std::logic_error("make_searcher: a backend kind without a case");
}

}  // namespace warpseed::index
