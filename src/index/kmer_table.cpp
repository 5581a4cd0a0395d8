#include "index/kmer_table.hpp"

#include "core/parallel.hpp"
#include "index/position_bytes.hpp"

namespace warpseed::index {

/// Builds the table of k = j+1 from that of k = j: base·S is 4^j * base entries after S. An empty range keeps the
/// position where its k-mer would be, as in backward search.
void fill_kmer_ranges(FmIndex& index, int threads) {
  const std::uint32_t length = kmer_length_for(index.first_row[4]), width = index.position_width;
  if (length == 0) return;
  index.kmer_ranges.resize(std::uint64_t{2} * width << 2 * length);
  const FmView fm = index.view();
  std::byte* ranges = index.kmer_ranges.data();
  put_position(ranges, width, 0, 0);
  put_position(ranges, width, 1, fm.row_count());
  for (std::uint64_t count = 1; count < std::uint64_t{1} << 2 * length; count *= 4) {
    for_blocks(threads, count, 1 << 12, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t kmer = begin; kmer < end; ++kmer) {
        const RowRange rows = kmer_rows(fm, kmer);
        for (unsigned base = 0; base < 4; ++base) {
          const RowRange longer = extend_left(fm, rows, base);
          put_position(ranges, width, 2 * (base * count + kmer), longer.begin);
          put_position(ranges, width, 2 * (base * count + kmer) + 1, longer.end);
        }
      }
    });
  }
  index.kmer_length = length;
}

}  // namespace warpseed::index
