#include "suffix/compact_lcp.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/parallel.hpp"
#include "core/types.hpp"
#include "suffix/entry.hpp"
#include "suffix/lcp.hpp"

namespace warpseed::suffix {

namespace {

template <class Pos>
CompactLcp<Pos> compacted(const std::vector<Pos>& lcp, int threads) {
  using Parts = CompactLcpParts<Pos>;
  Parts parts;
  parts.bytes.resize(lcp.size());
  parts.begins.resize((lcp.size() + Parts::block - 1) / Parts::block + 1);
  for_blocks(threads, lcp.size(), Parts::block, [&](std::uint64_t begin, std::uint64_t end) {
    Pos count = 0;
    for (std::uint64_t row = begin; row < end; ++row) {
      parts.bytes[row] = static_cast<std::uint8_t>(std::min<Pos>(lcp[row], Parts::in_table));
      count += lcp[row] >= Parts::in_table ? 1 : 0;
    }
    parts.begins[begin / Parts::block + 1] = count;
  });
  for (std::size_t i = 1; i < parts.begins.size(); ++i) parts.begins[i] += parts.begins[i - 1];
  parts.long_rows.resize(parts.begins.back());
  parts.lengths.resize(parts.begins.back());
  for_blocks(threads, lcp.size(), Parts::block, [&](std::uint64_t begin, std::uint64_t end) {
    std::uint64_t entry = parts.begins[begin / Parts::block];
    if (entry == parts.begins[begin / Parts::block + 1]) return;
    for (std::uint64_t row = begin; row < end; ++row) {
      if (lcp[row] < Parts::in_table) continue;
      parts.long_rows[entry] = static_cast<std::uint16_t>(row - begin);
      parts.lengths[entry++] = lcp[row];
    }
  });
  return CompactLcp<Pos>(std::move(parts));
}

}  // namespace

template <class Pos>
CompactLcp<Pos>::CompactLcp(Parts parts) : parts_(std::move(parts)) {
  const std::uint64_t blocks = (parts_.bytes.size() + Parts::block - 1) / Parts::block;
  const std::uint64_t entries = parts_.lengths.size();
  if (parts_.begins.size() != blocks + 1 || parts_.begins.back() != entries || parts_.long_rows.size() != entries) {
    throw std::invalid_argument("CompactLcp: parts of different arrays");
  }
}

template <class Pos>
std::uint64_t CompactLcp<Pos>::bytes() const {
  return parts_.bytes.size() + parts_.begins.size() * sizeof(Pos) +
         parts_.lengths.size() * (sizeof(std::uint16_t) + sizeof(Pos));
}

template <class Pos>
std::uint64_t CompactLcp<Pos>::entry_of(std::uint64_t row) const {
  const std::uint64_t block = row / Parts::block;
  const auto at = [&](Pos entry) { return parts_.long_rows.begin() + static_cast<std::ptrdiff_t>(entry); };
  const auto found = std::lower_bound(at(parts_.begins[block]), at(parts_.begins[block + 1]), row % Parts::block);
  return static_cast<std::uint64_t>(found - parts_.long_rows.begin());
}

template <class Pos>
CompactLcp<Pos> compact_lcp_array(const text::GenomeView& genome, const std::vector<Pos>& suffixes,
                                  const Backend& backend) {
  if constexpr (sizeof(Pos) == 4) {
    const bool is_valid =
        suffixes.size() == genome.text.size && fits_narrow(genome.text.size);  // else lcp_array throws
    if (backend.kind == BackendKind::cuda && is_valid && !suffixes.empty()) {
      return cuda::compact_lcp_array(genome, suffixes, backend);
    }
  }
  return compacted(lcp_array(genome, suffixes, backend), backend.threads);
}

template class CompactLcp<std::uint32_t>;
template class CompactLcp<std::uint64_t>;
template CompactLcp<std::uint32_t> compact_lcp_array(const text::GenomeView&, const std::vector<std::uint32_t>&,
                                                     const Backend&);
template CompactLcp<std::uint64_t> compact_lcp_array(const text::GenomeView&, const std::vector<std::uint64_t>&,
                                                     const Backend&);

}  // namespace warpseed::suffix
