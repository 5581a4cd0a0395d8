// Verifies an index against its text. Exact ranks make the LF step one-to-one. If the steps from every separator spell
// the text and together visit every row, the rows are the suffixes in order.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>

#include "core/parallel.hpp"
#include "index/index_file.hpp"

namespace warpseed::index {

namespace {

/// Keeps the error of the earliest item, whichever thread finds one first.
class FirstError {
 public:
  void add(std::uint64_t item, std::string text) {
    const std::scoped_lock lock(mutex_);
    if (item >= item_.load()) return;
    item_ = item;
    text_ = std::move(text);
  }
  bool before(std::uint64_t item) const { return item_.load(std::memory_order_relaxed) < item; }
  const std::string& text() const { return text_; }

 private:
  std::mutex mutex_;
  std::atomic<std::uint64_t> item_ = ~std::uint64_t{0};
  std::string text_;
};

class Verifier {
 public:
  Verifier(const FmView& fm, const text::GenomeView& genome, int threads)
      : fm_(fm), genome_(genome), threads_(threads) {}

  std::string run() {
    if (std::string wrong = ranks(); !wrong.empty()) return wrong;
    if (std::string wrong = steps(); !wrong.empty()) return wrong;
    return kmers();
  }

 private:
  /// Checks every stored count against the bit planes, and the first rows.
  std::string ranks() const {
    std::uint64_t counts[4] = {}, separators = 0;
    for (std::uint64_t i = 0; i < fm_.blocks.size; ++i) {
      const RankBlock& block = fm_.blocks[i];
      const Row first = i * block_symbols;
      for (unsigned base = 0; base < 4; ++base) {
        if (rank(fm_, base, first) != counts[base]) return fmt::format("rank block {}: its counts are wrong", i);
      }
      const std::uint64_t rows = std::min<std::uint64_t>(fm_.row_count() - first, block_symbols);
      const std::uint64_t used = rows == block_symbols ? ~std::uint64_t{0} : bits_below(rows);
      if (((block.low | block.high) & block.separator) != 0 ||
          ((block.low | block.high | block.separator) & ~used) != 0) {
        return fmt::format("rank block {}: it holds symbols that cannot be", i);
      }
      for (unsigned base = 0; base < 4; ++base) counts[base] += count_ones(matches_in(block, base) & used);
      separators += count_ones(block.separator);
    }
    bool good = separators == genome_.segment_count() && fm_.first_row[0] == separators;
    for (unsigned base = 0; base < 4; ++base) {
      good = good && fm_.first_row[base] + counts[base] == fm_.first_row[base + 1];
    }
    return good ? "" : "first rows: they are not the counts of the symbols";
  }

  /// Walks from every sampled row and every separator's row back to the next sampled row or segment start.
  std::string steps() const {
    std::atomic<std::uint64_t> visited = 0;
    FirstError finding;
    const std::uint64_t segments = genome_.segment_count(), items = segments + fm_.samples.size;
    for_blocks(threads_, items, 4096, [&](std::uint64_t begin, std::uint64_t end) {
      std::uint64_t steps = 0;
      for (std::uint64_t i = begin; i < end && !finding.before(begin); ++i) {
        const Row row = i < segments ? i : (i - segments) * fm_.sample_step;
        if (i < segments && row % fm_.sample_step == 0) {
          if (fm_.samples[row / fm_.sample_step] != genome_.separator_of(i)) {
            finding.add(i, fmt::format("row {}: its sample is not separator {}", row, i));
          }
          continue;  // the walk from the sample is the same
        }
        const TextPos at = i < segments ? genome_.separator_of(i) : fm_.samples[i - segments];
        if (std::string wrong = walk(row, at, steps); !wrong.empty()) finding.add(i, std::move(wrong));
      }
      visited += steps;
    });
    if (!finding.text().empty()) return finding.text();
    if (visited == fm_.row_count()) return "";
    return fmt::format("steps back from the separators reach {} of {} rows", visited.load(), fm_.row_count());
  }

  std::string walk(Row row, TextPos at, std::uint64_t& steps) const {
    if (at >= genome_.text.size) return fmt::format("row {}: its sample lies beyond the text", row);
    const TextPos start = genome_.segments[text::segment_at(genome_, at)].text_begin;
    for (;;) {
      ++steps;
      const RankBlock& block = fm_.blocks[row / block_symbols];
      const unsigned bit = static_cast<unsigned>(row % block_symbols);
      const bool at_separator = block.separator >> bit & 1;
      if (at_separator != (at == start)) return fmt::format("row {}: a separator is misplaced", row);
      if (at_separator) {
        std::uint64_t separators = row;
        for (unsigned base = 0; base < 4; ++base) separators -= rank(fm_, base, row);
        const bool good = fm_.segment_starts[separators] == at;
        return good ? "" : fmt::format("segment start {}: it is not at {}", separators, at);
      }
      const unsigned base = static_cast<unsigned>((block.low >> bit & 1) | (block.high >> bit & 1) << 1);
      if (base != genome_.text[--at]) return fmt::format("row {}: the text has another base before it", row);
      row = fm_.first_row[base] + rank(fm_, base, row);
      if (row % fm_.sample_step == 0) {
        const bool good = fm_.samples[row / fm_.sample_step] == at;
        return good ? "" : fmt::format("row {}: its sample is not {}", row, at);
      }
    }
  }

  /// Compares the rows of every k-mer with a search without the table.
  std::string kmers() const {
    if (fm_.kmer_length == 0) return "";
    FirstError finding;
    for_blocks(threads_, fm_.kmer_ranges.size / 2, 4096, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t kmer = begin; kmer < end && !finding.before(begin); ++kmer) {
        RowRange rows = {0, fm_.row_count()};
        for (unsigned i = 0; i < fm_.kmer_length; ++i) rows = extend_left(fm_, rows, kmer >> 2 * i & 3);
        if (RowRange{fm_.kmer_ranges[2 * kmer], fm_.kmer_ranges[2 * kmer + 1]} == rows) continue;  // as stored
        finding.add(kmer, fmt::format("k-mer {}: its rows are not {} to {}", kmer, rows.begin, rows.end));
      }
    });
    return finding.text();
  }

  const FmView& fm_;
  const text::GenomeView& genome_;
  int threads_;
};

}  // namespace

std::string verify_against_text(const FmView& fm, const text::GenomeView& genome, int threads) {
  return Verifier(fm, genome, threads).run();
}

}  // namespace warpseed::index
