#include "suffix/device_text.cuh"

#include <array>
#include <bit>

#include "core/launch.cuh"
#include "core/transfer.cuh"

namespace warpseed::suffix::cuda {

namespace {

__global__ void mark_separators_kernel(View<text::Segment> segments, std::uint32_t* separators) {
  const std::uint64_t segment = thread_index();
  if (segment + 1 >= segments.size) return;
  const TextPos at = segments[segment + 1].text_begin - 1;
  atomicOr(&separators[at / 32], 1U << (at % 32));
}

__global__ void mark_values_kernel(View<std::uint8_t> bytes, std::uint32_t* seen) {
  __shared__ std::uint32_t block_seen[256];
  for (unsigned i = threadIdx.x; i < 256; i += blockDim.x) block_seen[i] = 0;
  __syncthreads();
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = thread_index(); i < bytes.size; i += step) block_seen[bytes[i]] = 1;
  __syncthreads();
  for (unsigned i = threadIdx.x; i < 256; i += blockDim.x) {
    if (block_seen[i] != 0) seen[i] = 1;
  }
}

/// Codes of the byte values; 9 bits suffice if all 256 occur.
struct ByteCodes {
  std::array<std::uint16_t, 256> of{};
  unsigned bits = 1;
};

/// One thread per word packs all symbols with bits in it, including the end's 0 and the padding.
__global__ void pack_bytes_kernel(View<std::uint8_t> bytes, ByteCodes codes, std::uint64_t word_count,
                                  std::uint64_t* words) {
  const std::uint64_t word = thread_index();
  if (word >= word_count) return;
  const std::uint64_t first_bit = 64 * word, past_bit = first_bit + 64;
  std::uint64_t packed = 0;
  for (std::uint64_t i = first_bit / codes.bits; i * codes.bits < past_bit && i < bytes.size; ++i) {
    const std::uint64_t code = codes.of[bytes[i]], end_bit = (i + 1) * codes.bits;
    packed |= end_bit <= past_bit ? code << (past_bit - end_bit) : code >> (end_bit - past_bit);
  }
  words[word] = packed;
}

ByteCodes number(const std::vector<std::uint32_t>& seen) {
  ByteCodes codes;
  std::uint16_t next = 0;
  for (unsigned value = 0; value < 256; ++value) {
    if (seen[value] != 0) codes.of[value] = ++next;
  }
  codes.bits = std::max(1U, static_cast<unsigned>(std::bit_width(static_cast<unsigned>(next))));
  return codes;
}

}  // namespace

DeviceText::DeviceText(const text::GenomeView& genome, const Stream& stream, int threads)
    : size_(genome.text.size), words_(size_ / 32 + 2, stream), separators_(size_ / 32 + 2, stream) {
  Buffer<text::Segment> segments(genome.segments.size, stream);
  separators_.fill_zero();
  stream.wait();  // upload() has streams of its own
  upload(words_.data(), genome.text.words, words_.size() * sizeof(std::uint64_t), stream.pool(), threads);
  upload(segments.data(), genome.segments.data, genome.segments.bytes(), stream.pool(), threads);
  launch("mark_separators_kernel", mark_separators_kernel, genome.segment_count(), stream, segments.view(),
         separators_.data());
  stream.wait();
}

DeviceText::DeviceText(std::span<const std::uint8_t> bytes, const Stream& stream, int threads)
    : size_(bytes.size() + 1) {
  Buffer<std::uint8_t> raw(bytes.size(), stream);
  stream.wait();  // upload() has streams of its own
  upload(raw.data(), bytes.data(), bytes.size(), stream.pool(), threads);
  pack(raw.view(), stream);
}

DeviceText::DeviceText(View<std::uint8_t> bytes, const Stream& stream) : size_(bytes.size + 1) {
  pack(bytes, stream);
}

void DeviceText::pack(View<std::uint8_t> bytes, const Stream& stream) {
  constexpr std::uint64_t max_threads = 1 << 18;  // fills the largest devices
  Buffer<std::uint32_t> seen(256, stream);
  seen.fill_zero();
  launch("mark_values_kernel", mark_values_kernel, std::min<std::uint64_t>(bytes.size, max_threads), stream, bytes,
         seen.data());
  std::vector<std::uint32_t> found(seen.size());
  seen.download(found);
  stream.wait();
  const ByteCodes codes = number(found);
  symbol_bits_ = codes.bits;
  words_ = Buffer<std::uint64_t>(size_ * symbol_bits_ / 64 + 2, stream);
  launch("pack_bytes_kernel", pack_bytes_kernel, words_.size(), stream, bytes, codes, words_.size(), words_.data());
  stream.wait();
}

}  // namespace warpseed::suffix::cuda
