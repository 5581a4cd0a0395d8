#include "overlap/matches/word_rows.cuh"

#include <cub/device/device_scan.cuh>

#include "core/lanes.cuh"
#include "core/launch.cuh"
#include "core/primitives.cuh"
#include "suffix/bounded_text.cuh"
#include "suffix/lcp.cuh"
#include "suffix/prefix_doubling.cuh"

namespace warpseed::overlap::cuda {

namespace {

constexpr std::uint64_t looked_at = 64;  // rows on either side that are examined to decide whether a word is kept

/// A row of the suffix array in one byte.
struct RowCode {
  static constexpr unsigned left_bits = 7;   // the preceding base, 4 if there is none
  static constexpr unsigned target = 8;      // the row belongs to the targets
  static constexpr unsigned continues = 16;  // the row has the same word as the previous row
};

__global__ void encode_kernel(suffix::GenomeText text, View<std::uint32_t> suffixes, const std::uint32_t* lcp,
                              WordSides sides, std::uint8_t* codes) {
  const std::uint64_t row = thread_index();
  if (row >= suffixes.size) return;
  const bool continues = lcp[row] >= sides.shortest;
  const bool continued = row + 1 < suffixes.size && lcp[row + 1] >= sides.shortest;
  unsigned code = 0;
  if (continues || continued) {
    const std::uint32_t position = suffixes[row];
    code = suffix::base_before(text, position) | (sides.is_target(position) ? RowCode::target : 0) |
           (continues ? RowCode::continues : 0);
  }
  codes[row] = static_cast<std::uint8_t>(code);
}

/// Properties of the examined rows of a word.
struct WordScan {
  std::uint64_t rows = 1;
  bool target, query, differ;
  unsigned left;

  __device__ WordScan(unsigned code, bool self)
      : target(code & RowCode::target),
        query(self || !target),
        differ((code & RowCode::left_bits) == 4),
        left(code & RowCode::left_bits) {}

  __device__ void add(unsigned code, bool self) {
    const bool is_target = code & RowCode::target;
    ++rows;
    target = target || is_target, query = query || self || !is_target;
    differ = differ || (code & RowCode::left_bits) != left;
  }
  __device__ bool may_begin_match() const { return rows > 1 && (rows > looked_at || (target && query && differ)); }
};

/// Bit r of the bitmap: row r is kept. Each row examines its own word until the decision is clear.
__global__ void keep_kernel(View<std::uint8_t> codes, bool self, std::uint32_t* kept) {
  const std::uint64_t row = thread_index();
  bool keep = false;
  if (row < codes.size) {
    WordScan seen(codes[row], self);
    for (std::uint64_t at = row; at > 0 && (codes[at] & RowCode::continues) != 0 && seen.rows <= looked_at; --at) {
      seen.add(codes[at - 1], self);
    }
    for (std::uint64_t at = row + 1; at < codes.size && (codes[at] & RowCode::continues) != 0 && seen.rows <= looked_at;
         ++at) {
      seen.add(codes[at], self);
    }
    keep = seen.may_begin_match();
  }
  const std::uint32_t word = __ballot_sync(all_lanes, keep);
  if (lane_id() == 0 && row < codes.size) kept[row / 32] = word;
}

__global__ void count_kept_kernel(View<std::uint32_t> kept, std::uint32_t* counts) {
  const std::uint64_t i = thread_index();
  if (i < kept.size) counts[i] = count_ones(kept[i]);
}

/// heads: 1 for the first row of each word.
__global__ void gather_kernel(View<std::uint32_t> suffixes, const std::uint8_t* codes, const std::uint32_t* kept,
                              const std::uint32_t* kept_before, std::uint32_t* positions, std::uint8_t* lefts,
                              std::uint32_t* heads) {
  const std::uint64_t row = thread_index();
  if (row >= suffixes.size) return;
  const std::uint32_t word = kept[row / 32], bit = std::uint32_t{1} << (row % 32);
  if ((word & bit) == 0) return;
  const std::uint32_t out = kept_before[row / 32] + count_ones(word & (bit - 1));
  positions[out] = suffixes[row];
  lefts[out] = codes[row] & RowCode::left_bits;
  heads[out] = (codes[row] & RowCode::continues) == 0;
}

__global__ void number_words_kernel(std::uint64_t count, std::uint32_t* words) {
  const std::uint64_t i = thread_index();
  if (i < count) --words[i];
}

/// The row codes of the sorted text.
struct CodedRows {
  Buffer<std::uint32_t> suffixes;
  Buffer<std::uint8_t> codes;
};

CodedRows coded_rows(const suffix::cuda::DeviceText& text, const WordSides& sides, const Stream& stream) {
  CodedRows rows{suffix::cuda::sort_suffixes(text, 0, TeamMember(stream)).suffixes, {}};
  stream.pool().require(9 * text.size(), "making an LCP array");
  const Buffer<std::uint32_t> lcp = suffix::cuda::lcp_array(text, rows.suffixes, stream);
  const suffix::cuda::BoundedText bounded(text, stream);
  rows.codes = Buffer<std::uint8_t>(text.size(), stream);
  launch("encode_kernel", encode_kernel, text.size(), stream, bounded.view(), rows.suffixes.view(), lcp.data(), sides,
         rows.codes.data());
  return rows;
}

__device__ bool is_of(const WordSides& sides, Side side, std::uint32_t position) {
  return side == Side::target ? sides.is_target(position) : sides.is_query(position);
}

__global__ void flag_side_kernel(WordRowsView rows, WordSides sides, Side side, std::uint32_t* flags) {
  const std::uint64_t i = thread_index();
  if (i < rows.count) flags[i] = is_of(sides, side, rows.positions[i]);
}

__global__ void list_side_kernel(WordRowsView rows, WordSides sides, Side side, const std::uint32_t* before,
                                 std::uint32_t* list) {
  const std::uint64_t i = thread_index();
  if (i < rows.count && is_of(sides, side, rows.positions[i])) list[before[i]] = static_cast<std::uint32_t>(i);
}

}  // namespace

Buffer<std::uint32_t> rows_of(const WordRows& rows, const WordSides& sides, Side side, const Stream& stream) {
  const std::uint64_t count = rows.positions.size();
  Buffer<std::uint32_t> before(count + 1, stream);
  before.fill_zero();
  launch("flag_side_kernel", flag_side_kernel, count, stream, rows.view(), sides, side, before.data());
  exclusive_sum(before, stream);
  Buffer<std::uint32_t> list(before.value_at(count), stream);
  launch("list_side_kernel", list_side_kernel, count, stream, rows.view(), sides, side, before.data(), list.data());
  return list;
}

WordRows find_word_rows(const suffix::cuda::DeviceText& text, const WordSides& sides, const Stream& stream) {
  if (text.size() == 0) return {};
  const CodedRows rows = coded_rows(text, sides, stream);
  const std::uint64_t size = text.size(), bitmap_words = size / 32 + 1;
  Buffer<std::uint32_t> kept(bitmap_words, stream), kept_before(bitmap_words + 1, stream);
  kept.fill_zero(), kept_before.fill_zero();
  launch("keep_kernel", keep_kernel, size, stream, rows.codes.view(), sides.self, kept.data());
  launch("count_kept_kernel", count_kept_kernel, bitmap_words, stream, kept.view(), kept_before.data());
  exclusive_sum(kept_before, stream);

  const std::uint64_t count = kept_before.value_at(bitmap_words);
  WordRows found{{count, stream}, {count, stream}, {count, stream}, 0};
  launch("gather_kernel", gather_kernel, size, stream, rows.suffixes.view(), rows.codes.data(), kept.data(),
         kept_before.data(), found.positions.data(), found.lefts.data(), found.words.data());
  if (count == 0) return found;
  with_temporary_storage("numbering words", stream, [&](void* storage, std::size_t& bytes) {
    return cub::DeviceScan::InclusiveSum(storage, bytes, found.words.data(), found.words.data(), count,
                                         stream.handle());
  });
  found.word_count = found.words.value_at(count - 1);
  launch("number_words_kernel", number_words_kernel, count, stream, count, found.words.data());
  return found;
}

}  // namespace warpseed::overlap::cuda
