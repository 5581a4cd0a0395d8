// The FM-index from a whole suffix array.
#include <algorithm>
#include <array>
#include <vector>

#include "core/parallel.hpp"
#include "core/prefetch.hpp"
#include "index/fm_builder.hpp"

namespace warpseed::index {

namespace {

/// Passes on rows [begin, end), each with the base upstream, which is read from the text.
template <class Pos>
void add_rows(const text::GenomeView& genome, const std::vector<Pos>& suffixes, Row begin, Row end,
              FmBuilder& builder) {
  using Layout = suffix::SuffixWords<Pos>;
  constexpr Row ahead = 32;  // prefetch distance in rows; covers a cache miss
  std::vector<typename Layout::Word> words;
  words.reserve(end - begin);
  for (Row row = begin; row < end; ++row) {
    if (row + ahead < end) prefetch(genome.text.words + suffixes[row + ahead] / 32);
    const TextPos at = suffixes[row];
    words.push_back(Layout::word(0, typename Layout::Word{at} << 2 | (at == 0 ? 0U : genome.text[at - 1])));
  }
  builder.add<Pos>({begin, words});
}

}  // namespace

template <class Pos>
FmIndex fm_index_from(const text::GenomeView& genome, const std::vector<Pos>& suffixes, std::uint32_t sample_step,
                      int threads) {
  FmBuilder builder(genome, sample_step);
  for_blocks(threads, suffixes.size(), 1 << 14,
             [&](Row begin, Row end) { add_rows(genome, suffixes, begin, end, builder); });
  return builder.finish(threads);
}

template FmIndex fm_index_from(const text::GenomeView&, const std::vector<std::uint32_t>&, std::uint32_t, int);
template FmIndex fm_index_from(const text::GenomeView&, const std::vector<std::uint64_t>&, std::uint32_t, int);

}  // namespace warpseed::index
