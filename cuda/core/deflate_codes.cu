#include <cub/block/block_scan.cuh>

#include "core/deflate_blocks.cuh"
#include "core/deflate_header_core.hpp"
#include "core/launch.cuh"

namespace warpseed::deflate::cuda {

namespace {

using PieceScan = cub::BlockScan<std::uint32_t, threads_per_block>;

/// What the threads of a block share.
struct Shared {
  std::uint32_t literal_counts[literal_symbols], distance_counts[distance_symbols];
  std::uint32_t keys[literal_symbols], distance_keys[distance_symbols];
  std::uint32_t literal_kinds, distance_kinds;
  std::uint8_t literal_bits[fixed_literal_symbols], distance_bits[distance_symbols];
  std::uint16_t literal_codes[fixed_literal_symbols], distance_codes[distance_symbols];
  CodeScratch scratch, distance_scratch;
  CodeHeader header;
  PieceScan::TempStorage scan;
  std::uint32_t extra_bits, type;  // 0: stored
  std::uint32_t begin;             // of the stream, in words
};

/// Work is divided among the threads of a block.
template <class Work>
__device__ void for_threads(std::uint32_t count, Work work) {
  for (std::uint32_t i = threadIdx.x; i < count; i += threads_per_block) work(i);
}

/// The tokens of a piece are made final: a position where a literal begins has no match.
__device__ void choose_tokens(const Piece& piece, Found* found) {
  if (piece.kind != FieldKind::short_matches) return;
  const std::uint32_t end = piece.begin + piece.size;
  for (std::uint32_t at = piece.begin; at < end;) {
    Found here = found[at];
    // A match of sure_bytes is not compared with the next one. Others begin early enough that there is a next position.
    if (here.sure() >= min_match && here.sure() < sure_bytes && found[at + 1].sure() > here.sure()) {
      found[at++] = Found::no_match(0);
      here = found[at];
    }
    at += max(here.length(), 1U);
  }
}

/// Calls use(position, found) for each token of a piece.
template <class Use>
__device__ void for_tokens(const Piece& piece, const Found* found, Use use) {
  const std::uint32_t end = piece.begin + piece.size;
  for (std::uint32_t at = piece.begin; at < end;) {
    const Found token = found[at];
    use(at, token);
    at += max(token.length(), 1U);
  }
}

/// A block of the batch, by the threads of a block.
class BlockEncoder {
 public:
  __device__ BlockEncoder(const BatchView& batch, const Block& block, Shared& shared)
      : batch_(batch),
        block_(block),
        bytes_(batch.bytes.data + block.begin),
        found_(batch.found + block.begin),
        shared_(shared) {
    // Neighbouring pieces, so that the bits of a thread's pieces follow each other.
    const std::uint32_t count = block.end_piece - block.first_piece;
    first_ = block.first_piece + static_cast<std::uint32_t>(std::uint64_t{count} * threadIdx.x / threads_per_block);
    end_ = block.first_piece + static_cast<std::uint32_t>(std::uint64_t{count} * (threadIdx.x + 1) / threads_per_block);
  }

  __device__ void encode(std::uint32_t* out, std::uint32_t* out_bytes, Packed& packed) {
    count_tokens();
    make_codes();
    choose_type();
    if (shared_.type == 0) {
      if (threadIdx.x == 0) packed = {0, 0};
      return;
    }
    write(out, out_bytes, packed);
  }

 private:
  template <class Use>
  __device__ void for_own_tokens(Use use) const {
    for (std::uint32_t i = first_; i < end_; ++i) for_tokens(batch_.pieces[i], found_, use);
  }

  __device__ void count_tokens() {
    for_threads(literal_symbols, [&](std::uint32_t i) { shared_.literal_counts[i] = i == end_of_block ? 1 : 0; });
    for_threads(distance_symbols, [&](std::uint32_t i) { shared_.distance_counts[i] = 0; });
    if (threadIdx.x == 0) shared_.extra_bits = shared_.literal_kinds = shared_.distance_kinds = 0;
    __syncthreads();
    std::uint32_t extra_bits = 0;
    for (std::uint32_t i = first_; i < end_; ++i) choose_tokens(batch_.pieces[i], found_);
    for_own_tokens([&](std::uint32_t at, Found token) {
      if (token.length() == 0) {
        atomicAdd(&shared_.literal_counts[bytes_[at]], 1U);
        return;
      }
      const SymbolBits length = length_symbol(token.length()), distance = distance_symbol(token.distance());
      atomicAdd(&shared_.literal_counts[length.symbol], 1U);
      atomicAdd(&shared_.distance_counts[distance.symbol], 1U);
      extra_bits += length.extra_bits + distance.extra_bits;
    });
    atomicAdd(&shared_.extra_bits, extra_bits);
    __syncthreads();
  }

  /// The keys of the symbols that occur, ascending: each thread finds out how many are smaller.
  __device__ static void sort_keys(const std::uint32_t* counts, std::uint32_t count, std::uint32_t* keys,
                                   std::uint32_t* kinds) {
    for_threads(count, [&](std::uint32_t symbol) {
      if (counts[symbol] == 0) return;
      const std::uint32_t key = count_key(counts[symbol], symbol);
      std::uint32_t smaller = 0;
      for (std::uint32_t i = 0; i < count; ++i) smaller += counts[i] > 0 && count_key(counts[i], i) < key ? 1 : 0;
      keys[smaller] = key;
      atomicAdd(kinds, 1U);
    });
  }

  __device__ void make_codes() {
    for_threads(fixed_literal_symbols, [&](std::uint32_t i) { shared_.literal_bits[i] = 0; });
    for_threads(distance_symbols, [&](std::uint32_t i) { shared_.distance_bits[i] = 0; });
    sort_keys(shared_.literal_counts, literal_symbols, shared_.keys, &shared_.literal_kinds);
    sort_keys(shared_.distance_counts, distance_symbols, shared_.distance_keys, &shared_.distance_kinds);
    __syncthreads();
    if (threadIdx.x == 0) {
      code_lengths(shared_.keys, shared_.literal_kinds, max_literal_bits, shared_.scratch, shared_.literal_bits);
      canonical_codes(shared_.literal_bits, literal_symbols, shared_.literal_codes);
    } else if (threadIdx.x == 32) {  // in another warp
      if (shared_.distance_kinds == 0) shared_.distance_keys[shared_.distance_kinds++] = count_key(1, 0);
      code_lengths(shared_.distance_keys, shared_.distance_kinds, max_distance_bits, shared_.distance_scratch,
                   shared_.distance_bits);
      canonical_codes(shared_.distance_bits, distance_symbols, shared_.distance_codes);
    }
    __syncthreads();
  }

  __device__ void choose_type() {
    if (threadIdx.x == 0) {
      make_header(shared_.literal_bits, shared_.distance_bits, shared_.scratch, shared_.header);
      std::uint64_t dynamic = type_bits + header_cost(shared_.header) + shared_.extra_bits;
      std::uint64_t fixed = type_bits + shared_.extra_bits;
      for (std::uint32_t i = 0; i < literal_symbols; ++i) {
        dynamic += std::uint64_t{shared_.literal_counts[i]} * shared_.literal_bits[i];
        fixed += std::uint64_t{shared_.literal_counts[i]} * fixed_literal_bits(i);
      }
      for (std::uint32_t i = 0; i < distance_symbols; ++i) {
        dynamic += std::uint64_t{shared_.distance_counts[i]} * shared_.distance_bits[i];
        fixed += std::uint64_t{shared_.distance_counts[i]} * fixed_distance_bits;
      }
      shared_.type = dynamic <= fixed ? dynamic_block : fixed_block;
      if (stored_cost(block_.size) < min(dynamic, fixed)) shared_.type = 0;
      if (shared_.type == fixed_block) take_fixed_codes();
    }
    __syncthreads();
  }

  __device__ void take_fixed_codes() {
    for (std::uint32_t i = 0; i < fixed_literal_symbols; ++i) shared_.literal_bits[i] = fixed_literal_bits(i);
    for (std::uint32_t i = 0; i < distance_symbols; ++i) shared_.distance_bits[i] = fixed_distance_bits;
    canonical_codes(shared_.literal_bits, fixed_literal_symbols, shared_.literal_codes);
    canonical_codes(shared_.distance_bits, distance_symbols, shared_.distance_codes);
  }

  /// In bits, of this thread's pieces.
  __device__ std::uint32_t own_bits() const {
    std::uint32_t bits = 0;
    for_own_tokens([&](std::uint32_t at, Found token) {
      if (token.length() == 0) {
        bits += shared_.literal_bits[bytes_[at]];
        return;
      }
      const SymbolBits length = length_symbol(token.length()), distance = distance_symbol(token.distance());
      bits += shared_.literal_bits[length.symbol] + length.extra_bits;
      bits += shared_.distance_bits[distance.symbol] + distance.extra_bits;
    });
    return bits;
  }

  __device__ std::uint32_t start_bits() const {
    return type_bits + (shared_.type == dynamic_block ? static_cast<std::uint32_t>(header_cost(shared_.header)) : 0);
  }

  __device__ void write(std::uint32_t* out, std::uint32_t* out_bytes, Packed& packed) {
    std::uint32_t before = 0, all = 0;
    PieceScan(shared_.scan).ExclusiveSum(own_bits(), before, all);
    const std::uint32_t tokens = start_bits(), end = tokens + all;
    if (threadIdx.x == 0) {
      const std::uint32_t bytes = (end + shared_.literal_bits[end_of_block] + 7) / 8;
      constexpr std::uint32_t aligned = 16;
      const std::uint32_t begin = atomicAdd(out_bytes, (bytes + aligned - 1) / aligned * aligned);
      packed = {begin, bytes};
      shared_.begin = begin / sizeof(std::uint32_t);
    }
    __syncthreads();
    std::uint32_t* stream = out + shared_.begin;
    if (threadIdx.x == 0) {
      BitAppender start(stream, 0), last(stream, end);
      start.put(shared_.type, type_bits);
      if (shared_.type == dynamic_block) {
        write_header(shared_.header, [&](std::uint32_t bits, std::uint32_t count) { start.put(bits, count); });
      }
      start.finish();
      last.put(shared_.literal_codes[end_of_block], shared_.literal_bits[end_of_block]);
      last.finish();
    }
    BitAppender appender(stream, tokens + before);
    for_own_tokens([&](std::uint32_t at, Found token) { append(token, bytes_[at], appender); });
    appender.finish();
  }

  /// Sets bits of words that are zero and that other threads write to as well.
  class BitAppender {
   public:
    __device__ BitAppender(std::uint32_t* words, std::uint32_t at) : word_(words + at / 32), count_(at % 32) {}

    /// Up to 32 bits.
    __device__ void put(std::uint32_t bits, std::uint32_t count) {
      pending_ |= std::uint64_t{bits} << count_;
      count_ += count;
      if (count_ < 32) return;
      atomicOr(word_++, static_cast<std::uint32_t>(pending_));
      pending_ >>= 32;
      count_ -= 32;
    }
    __device__ void finish() {
      if (count_ > 0) atomicOr(word_, static_cast<std::uint32_t>(pending_));
    }

   private:
    std::uint32_t* word_;
    std::uint64_t pending_ = 0;
    std::uint32_t count_;
  };

  __device__ void append(Found token, std::uint32_t byte, BitAppender& appender) const {
    if (token.length() == 0) return appender.put(shared_.literal_codes[byte], shared_.literal_bits[byte]);
    const SymbolBits length = length_symbol(token.length()), distance = distance_symbol(token.distance());
    const std::uint32_t length_bits = shared_.literal_bits[length.symbol],
                        distance_bits = shared_.distance_bits[distance.symbol];
    appender.put(shared_.literal_codes[length.symbol] | length.extra << length_bits, length_bits + length.extra_bits);
    appender.put(shared_.distance_codes[distance.symbol] | distance.extra << distance_bits,
                 distance_bits + distance.extra_bits);
  }

  const BatchView& batch_;
  const Block& block_;
  const std::uint8_t* bytes_;
  Found* found_;
  Shared& shared_;
  std::uint32_t first_, end_;  // this thread's pieces
};

__global__ void __launch_bounds__(threads_per_block)
    encode_kernel(BatchView batch, std::uint32_t* out, std::uint32_t* out_bytes, Packed* packed) {
  __shared__ Shared shared;
  const Block block = batch.blocks[blockIdx.x];
  BlockEncoder(batch, block, shared).encode(out, out_bytes, packed[blockIdx.x]);
}

}  // namespace

void encode(const BatchView& batch, std::uint32_t* out, std::uint32_t* out_bytes, Packed* packed,
            const Stream& stream) {
  if (batch.blocks.size == 0) return;
  encode_kernel<<<static_cast<unsigned>(batch.blocks.size), threads_per_block, 0, stream.handle()>>>(batch, out,
                                                                                                     out_bytes, packed);
  check_launch("encode_kernel", stream.handle());
}

}  // namespace warpseed::deflate::cuda
