#include "suffix/common_extension.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "core/parallel.hpp"
#include "core/timing.hpp"
#include "suffix/entry.hpp"
#include "suffix/lcp.hpp"
#include "suffix/rmq.hpp"
#include "suffix/separator_map.hpp"
#include "suffix/suffix_array.hpp"

namespace warpseed::suffix {

namespace {

constexpr std::uint64_t pairs_at_once = 1 << 13;
constexpr std::size_t overlapped = 64;  // pairs with memory accesses in flight

template <class Pos>
class CpuCommonExtension : public CommonExtension<Pos> {
 public:
  CpuCommonExtension(const text::GenomeView& genome, int threads)
      : genome_(genome), separators_(genome), threads_(threads) {
    const Backend cpu = {BackendKind::cpu, 0, threads};
    Stopwatch watch;
    const auto lap = [&] {
      const double seconds = watch.seconds();
      watch.restart();
      return seconds;
    };
    const std::vector<Pos> suffixes = suffix_array<Pos>(genome, cpu);
    this->times_.sort = lap();
    ranks_ = inverse_suffix_array(suffixes, cpu);
    this->times_.inverse = lap();
    lcp_ = lcp_array(genome, suffixes, cpu);
    this->times_.lcp = lap();
    minima_ = RangeMinimum<Pos>(lcp_, threads);
    this->times_.rmq = lap();
  }

  void lengths(std::span<const PositionPair<Pos>> pairs, std::span<Pos> lengths) override {
    if (pairs.size() != lengths.size()) throw std::invalid_argument("CommonExtension: one length for every pair");
    const ExtensionView<Pos> view = {
        {genome_.text, separators_.view()}, genome_.segments, ranks_.data(), minima_.view()};
    for_blocks(threads_, pairs.size(), pairs_at_once, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end; i += overlapped) {
        const std::uint64_t count = std::min<std::uint64_t>(overlapped, end - i);
        extend(view, pairs.subspan(i, count), lengths.subspan(i, count));
      }
    });
  }

 private:
  static void extend(const ExtensionView<Pos>& view, std::span<const PositionPair<Pos>> pairs, std::span<Pos> lengths) {
    const std::uint64_t size = view.text.size();
    for (const auto& pair : pairs) {
      if (pair.first >= size || pair.second >= size) {
        throw std::invalid_argument("CommonExtension: a position beyond the text");
      }
      __builtin_prefetch(view.text.text.words + pair.first / 32);
      __builtin_prefetch(view.text.text.words + pair.second / 32);
    }
    std::array<std::size_t, overlapped> open;  // pairs that the first bases do not decide
    std::size_t open_count = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (pairs[i].first == pairs[i].second) {
        lengths[i] = common_extension(view, pairs[i]);
        continue;
      }
      const unsigned same = direct_extension(view.text, pairs[i].first, pairs[i].second);
      lengths[i] = static_cast<Pos>(same);
      if (same < direct_bases) continue;
      open[open_count++] = i;
      __builtin_prefetch(view.ranks + pairs[i].first);
      __builtin_prefetch(view.ranks + pairs[i].second);
    }
    by_ranks(view, pairs, std::span(open).first(open_count), lengths);
  }

  static void by_ranks(const ExtensionView<Pos>& view, std::span<const PositionPair<Pos>> pairs,
                       std::span<const std::size_t> open, std::span<Pos> lengths) {
    std::array<IndexRange<Pos>, overlapped> rows;
    std::array<Pos, overlapped> minima;
    for (std::size_t i = 0; i < open.size(); ++i) {
      rows[i] = rows_between(view.ranks[pairs[open[i]].first], view.ranks[pairs[open[i]].second]);
    }
    range_minima<Pos>(view.lcp, std::span(rows).first(open.size()), std::span(minima).first(open.size()));
    for (std::size_t i = 0; i < open.size(); ++i) lengths[open[i]] = minima[i];
  }

  text::GenomeView genome_;
  SeparatorMap separators_;
  int threads_;
  std::vector<Pos> ranks_, lcp_;
  RangeMinimum<Pos> minima_;  // of lcp_
};

}  // namespace

template <class Pos>
std::unique_ptr<CommonExtension<Pos>> make_common_extension(const text::GenomeView& genome, const Backend& backend) {
  if (sizeof(Pos) == 4 && !fits_narrow(genome.text.size)) {
    throw std::invalid_argument("make_common_extension: 32-bit positions cannot number so long a text");
  }
  if constexpr (sizeof(Pos) == 4) {
    if (backend.kind == BackendKind::cuda) return cuda::make_common_extension(genome, backend);
  }
  return std::make_unique<CpuCommonExtension<Pos>>(genome, backend.threads);
}

template std::unique_ptr<CommonExtension<std::uint32_t>> make_common_extension(const text::GenomeView&, const Backend&);
template std::unique_ptr<CommonExtension<std::uint64_t>> make_common_extension(const text::GenomeView&, const Backend&);

}  // namespace warpseed::suffix
