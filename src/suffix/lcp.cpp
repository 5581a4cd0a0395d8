#include "suffix/lcp.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <stdexcept>

#include "core/parallel.hpp"
#include "core/types.hpp"
#include "suffix/entry.hpp"
#include "suffix/lcp_core.hpp"
#include "suffix/separator_map.hpp"

namespace warpseed::suffix {

namespace {

constexpr std::uint64_t rows_per_batch = 1 << 14;
constexpr std::uint64_t ahead = 24;  // rows whose text is prefetched

/// A text of bytes with the interface that lcp_core.hpp needs.
struct ByteText {
  static constexpr unsigned depth = 16, step = 8;

  std::span<const std::uint8_t> bytes;

  std::uint64_t window(TextPos at) const {
    std::uint64_t value = 0;
    if (at + 8 <= bytes.size()) {
      std::memcpy(&value, bytes.data() + at, 8);
      return std::endian::native == std::endian::little ? __builtin_bswap64(value) : value;
    }
    for (unsigned i = 0; i < 8; ++i) value = value << 8 | (at + i < bytes.size() ? bytes[at + i] : 0);
    return value;
  }

  SuffixHead head(TextPos at) const {
    const auto limit = static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes.size() - at, depth));
    return {window(at), window(at + 8), limit, at == 0 ? SuffixHead::nothing : bytes[at - 1]};
  }

  static unsigned shared(const SuffixHead& a, const SuffixHead& b) {
    const std::uint64_t first = a.first ^ b.first, second = a.second ^ b.second;
    const unsigned same = first != 0 ? leading_zeros(first) / 8 : 8 + leading_zeros(second) / 8;
    return std::min({same, a.limit, b.limit});
  }

  unsigned share_step(TextPos a, TextPos b) const {
    const std::uint64_t left = bytes.size() - std::min<std::uint64_t>(std::max(a, b), bytes.size());
    return static_cast<unsigned>(std::min<std::uint64_t>(leading_zeros(window(a) ^ window(b)) / 8, left));
  }
};

void prefetch(const GenomeText& text, TextPos at) {
  __builtin_prefetch(text.text.words + at / 32);
}

void prefetch(const ByteText& text, TextPos at) {
  __builtin_prefetch(text.bytes.data() + at);
}

/// Compares the heads of rows [begin, end) and stores the lengths; true if some are still to follow from others.
template <class Pos, class Text>
bool compare_rows(const Text& text, const std::vector<Pos>& suffixes, std::uint64_t begin, std::uint64_t end,
                  std::vector<Pos>& lcp) {
  bool some_follow = false;
  SuffixHead previous = begin == 0 ? SuffixHead{} : text.head(suffixes[begin - 1]);
  for (std::uint64_t row = begin; row < end; ++row) {
    if (row + ahead < suffixes.size()) prefetch(text, suffixes[row + ahead]);
    const SuffixHead own = text.head(suffixes[row]);
    Pos length = row == 0 ? Pos{0} : lcp_of_heads<Pos>(text, previous, own);
    if (length == LcpRow<Pos>::long_one) {
      length = static_cast<Pos>(shared_symbols(text, suffixes[row - 1], suffixes[row], Text::depth));
    }
    some_follow |= length == LcpRow<Pos>::follows;
    lcp[row] = length;
    previous = own;
  }
  return some_follow;
}

/// Running maximum: ends[i] becomes the largest of ends[0..i].
template <class Pos>
void running_maximum(std::vector<Pos>& ends, int threads) {
  constexpr std::uint64_t block = 1 << 16;
  std::vector<Pos> before(ends.size() / block + 1);
  for_blocks(threads, ends.size(), block, [&](std::uint64_t begin, std::uint64_t end) {
    const auto at = [&](std::uint64_t i) { return ends.begin() + static_cast<std::ptrdiff_t>(i); };
    before[begin / block] = *std::max_element(at(begin), at(end));
  });
  Pos largest = 0;
  for (Pos& value : before) largest = std::max(largest, std::exchange(value, largest));
  for_blocks(threads, ends.size(), block, [&](std::uint64_t begin, std::uint64_t end) {
    Pos running = before[begin / block];
    for (std::uint64_t i = begin; i < end; ++i) ends[i] = running = std::max(running, ends[i]);
  });
}

/// The ends of long common prefixes never decrease with the text position where the prefixes begin. A length that
/// follows from the one before has the same end.
template <class Pos>
void follow(const std::vector<Pos>& suffixes, Pos depth, std::vector<Pos>& lcp, int threads) {
  std::vector<Pos> ends(suffixes.size());
  for_blocks(threads, lcp.size(), rows_per_batch, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t row = begin; row < end; ++row) {
      if (lcp[row] < depth || lcp[row] == LcpRow<Pos>::follows) continue;
      ends[suffixes[row]] = static_cast<Pos>(suffixes[row] + lcp[row]);
    }
  });
  running_maximum(ends, threads);
  for_blocks(threads, lcp.size(), rows_per_batch, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t row = begin; row < end; ++row) {
      if (lcp[row] == LcpRow<Pos>::follows) lcp[row] = static_cast<Pos>(ends[suffixes[row]] - suffixes[row]);
    }
  });
}

template <class Pos, class Text>
std::vector<Pos> lcp_on_cpu(const Text& text, const std::vector<Pos>& suffixes, int threads) {
  std::vector<Pos> lcp(suffixes.size());
  std::atomic<bool> some_follow = false;
  for_blocks(threads, lcp.size(), rows_per_batch, [&](std::uint64_t begin, std::uint64_t end) {
    if (compare_rows(text, suffixes, begin, end, lcp)) some_follow = true;
  });
  if (some_follow) follow(suffixes, static_cast<Pos>(Text::depth), lcp, threads);
  return lcp;
}

template <class Pos>
void require_size(std::uint64_t symbols, std::uint64_t suffixes) {
  if (suffixes != symbols) throw std::invalid_argument("lcp_array: one suffix for every symbol of the text");
  if (sizeof(Pos) == 4 && !fits_narrow(symbols)) {
    throw std::invalid_argument("lcp_array: 32-bit positions cannot number so long a text");
  }
}

}  // namespace

template <class Pos>
std::vector<Pos> lcp_array(const text::GenomeView& genome, const std::vector<Pos>& suffixes, const Backend& backend) {
  require_size<Pos>(genome.text.size, suffixes.size());
  if (suffixes.empty()) return {};
  if constexpr (sizeof(Pos) == 4) {
    if (backend.kind == BackendKind::cuda) return cuda::lcp_array(genome, suffixes, backend);
  }
  const SeparatorMap separators(genome);
  return lcp_on_cpu(GenomeText{genome.text, separators.view()}, suffixes, backend.threads);
}

template <class Pos>
std::vector<Pos> lcp_array(std::span<const std::uint8_t> bytes, const std::vector<Pos>& suffixes,
                           const Backend& backend) {
  require_size<Pos>(bytes.size(), suffixes.size());
  if (suffixes.empty()) return {};
  if constexpr (sizeof(Pos) == 4) {
    if (backend.kind == BackendKind::cuda) return cuda::lcp_array(bytes, suffixes, backend);
  }
  return lcp_on_cpu(ByteText{bytes}, suffixes, backend.threads);
}

DeviceArray<std::uint32_t> lcp_array(DeviceSpan<const std::uint8_t> bytes, DeviceSpan<const std::uint32_t> suffixes,
                                     const Backend& backend) {
  require_size<std::uint32_t>(bytes.size, suffixes.size);
  if (bytes.size == 0) return {{}, 0, backend.device};
  return cuda::lcp_array(bytes, suffixes, backend);
}

template std::vector<std::uint32_t> lcp_array(const text::GenomeView&, const std::vector<std::uint32_t>&,
                                              const Backend&);
template std::vector<std::uint64_t> lcp_array(const text::GenomeView&, const std::vector<std::uint64_t>&,
                                              const Backend&);
template std::vector<std::uint32_t> lcp_array(std::span<const std::uint8_t>, const std::vector<std::uint32_t>&,
                                              const Backend&);
template std::vector<std::uint64_t> lcp_array(std::span<const std::uint8_t>, const std::vector<std::uint64_t>&,
                                              const Backend&);

}  // namespace warpseed::suffix
