#include "suffix/suffix_check.hpp"

#include <atomic>

#include "core/parallel.hpp"
#include "suffix/suffix_check_core.hpp"

namespace warpseed::suffix {

namespace {

constexpr std::uint64_t block_size = 1 << 16;

/// A genome's text with its separators in a bitmap, which avoids a search in the segments.
class GenomeSymbols {
 public:
  explicit GenomeSymbols(const text::GenomeView& genome) : size(genome.text.size), text_(genome.text), ends_(size) {
    for (std::uint64_t i = 0; i < genome.segment_count(); ++i) ends_[genome.separator_of(i)] = true;
  }
  std::uint8_t symbol(TextPos i) const { return text_[i]; }
  bool is_separator(TextPos i) const { return ends_[i]; }
  std::uint64_t size;

 private:
  text::PackedView text_;
  std::vector<bool> ends_;
};

/// Bytes followed by an end symbol.
struct ByteSymbols {
  std::span<const std::uint8_t> bytes;
  std::uint64_t size = bytes.size() + 1;
  std::uint8_t symbol(TextPos i) const { return bytes[i]; }
  bool is_separator(TextPos i) const { return i == bytes.size(); }
};

template <class Text, class Pos>
std::uint64_t first_wrong(const Text& text, const Pos* suffixes, int threads) {
  std::vector<Pos> ranks(text.size);
  for_blocks(threads, text.size, block_size, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t row = begin; row < end; ++row) {
      if (suffixes[row] < text.size) {
        std::atomic_ref(ranks[suffixes[row]]).store(static_cast<Pos>(row), std::memory_order_relaxed);
      }
    }
  });
  std::atomic<std::uint64_t> first = text.size;
  for_blocks(threads, text.size, block_size, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t row = begin; row < end && row < first; ++row) {
      if (row_is_right(text, suffixes, ranks.data(), row)) continue;
      std::uint64_t known = first;
      while (row < known && !first.compare_exchange_weak(known, row)) {
      }
      return;
    }
  });
  return first;
}

}  // namespace

template <class Pos>
std::uint64_t first_wrong_row(const text::GenomeView& genome, const std::vector<Pos>& suffixes, int threads) {
  if (suffixes.size() != genome.text.size) return 0;
  return first_wrong(GenomeSymbols(genome), suffixes.data(), threads);
}

template <class Pos>
std::uint64_t first_wrong_row(std::span<const std::uint8_t> bytes, const std::vector<Pos>& suffixes, int threads) {
  if (suffixes.size() != bytes.size()) return 0;
  std::vector<Pos> with_end(1, static_cast<Pos>(bytes.size()));  // the row of the end symbol comes first
  with_end.insert(with_end.end(), suffixes.begin(), suffixes.end());
  const std::uint64_t row = first_wrong(ByteSymbols{bytes}, with_end.data(), threads);
  return row == 0 ? 0 : row - 1;
}

template std::uint64_t first_wrong_row(const text::GenomeView&, const std::vector<std::uint32_t>&, int);
template std::uint64_t first_wrong_row(const text::GenomeView&, const std::vector<std::uint64_t>&, int);
template std::uint64_t first_wrong_row(std::span<const std::uint8_t>, const std::vector<std::uint32_t>&, int);
template std::uint64_t first_wrong_row(std::span<const std::uint8_t>, const std::vector<std::uint64_t>&, int);

}  // namespace warpseed::suffix
