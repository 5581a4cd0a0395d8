#include "index/exact_search.hpp"

#include <algorithm>

#include "core/memory.hpp"
#include "core/parallel.hpp"
#include "text/alphabet.hpp"

namespace warpseed::index {

namespace {

void add_reverse_complement(PatternBatch& batch, std::span<const std::uint8_t> pattern) {
  for (auto code = pattern.rbegin(); code != pattern.rend(); ++code) batch.codes.push_back(text::complement(*code));
  batch.offsets.push_back(batch.codes.size());
}

/// The first rows of a pattern, at most `most` of them.
StrandRows first_rows(StrandRows rows, std::uint64_t most) {
  rows.forward.end = rows.forward.begin + std::min(rows.forward.count(), most);
  rows.reverse.end = rows.reverse.begin + std::min(rows.reverse.count(), most - rows.forward.count());
  return rows;
}

}  // namespace

ExactSearch::ExactSearch(const FmView& fm, const Backend& backend, Strands strands)
    : searcher_(make_searcher(fm, backend)), strands_(strands), threads_(backend.threads) {}

std::vector<StrandRows> ExactSearch::find(const PatternBatch& patterns) {
  PatternBatch both;  // pattern i is 2i, its reverse complement 2i+1; empty if its strand is not searched
  both.codes.reserve(2 * patterns.codes.size());
  both.offsets.reserve(2 * patterns.count() + 1);
  for (std::uint64_t i = 0; i < patterns.count(); ++i) {
    const std::span<const std::uint8_t> pattern(patterns.codes.data() + patterns.offsets[i],
                                                patterns.codes.data() + patterns.offsets[i + 1]);
    both.add(strands_ == Strands::reverse ? pattern.first(0) : pattern);
    add_reverse_complement(both, strands_ == Strands::forward ? pattern.first(0) : pattern);
  }
  std::vector<RowRange> rows(both.count());
  searcher_->find(both, rows);
  std::vector<StrandRows> found(patterns.count());
  const auto rows_of = [&](std::uint64_t i) { return both.offsets[i] == both.offsets[i + 1] ? RowRange{} : rows[i]; };
  for (std::uint64_t i = 0; i < found.size(); ++i) found[i] = {rows_of(2 * i), rows_of(2 * i + 1)};
  return found;
}

OccurrenceBatch ExactSearch::locate(std::span<const StrandRows> patterns, std::uint64_t max_hits) {
  OccurrenceBatch batch;
  for (const StrandRows& rows : patterns) {
    batch.offsets.push_back(batch.offsets.back() + first_rows(rows, max_hits).count());
  }
  const std::uint64_t total = batch.offsets.back();
  require_memory(total * 24, "locating the occurrences of a pattern", "cap them with --max-hits");
  std::vector<Row> rows;
  rows.reserve(total);
  for (const StrandRows& all : patterns) {
    const StrandRows taken = first_rows(all, max_hits);
    for (Row row = taken.forward.begin; row < taken.forward.end; ++row) rows.push_back(row);
    for (Row row = taken.reverse.begin; row < taken.reverse.end; ++row) rows.push_back(row);
  }
  std::vector<TextPos> positions(total);
  searcher_->locate(rows, positions);
  batch.hits.resize(total);
  for_blocks(threads_, patterns.size(), 64, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
      const std::uint64_t first = batch.offsets[i], last = batch.offsets[i + 1];
      const std::uint64_t reverse = first + first_rows(patterns[i], max_hits).forward.count();
      for (std::uint64_t at = first; at < last; ++at) batch.hits[at] = Occurrence(positions[at], at >= reverse);
      std::sort(batch.hits.begin() + static_cast<std::ptrdiff_t>(first),
                batch.hits.begin() + static_cast<std::ptrdiff_t>(last));
    }
  });
  return batch;
}

}  // namespace warpseed::index
