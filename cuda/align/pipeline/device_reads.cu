#include "align/pipeline/device_reads.cuh"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>

#include "core/launch.cuh"

namespace warpseed::align::cuda {

namespace {

constexpr std::uint32_t bases_per_thread = 32;  // one word
constexpr std::uint64_t reads_per_task = 4096;  // host tasks

/// Unpacks four 2-bit bases, the first in the highest bits, to four bytes, the first in the lowest.
__device__ std::uint32_t bytes_of(std::uint32_t four) {
  return (four >> 6 & 3) | (four << 4 & 0x300U) | (four << 14 & 0x30000U) | (four << 24 & 0x3000000U);
}

/// One thread unpacks one word of one orientation, including the padding past the end of the read.
__global__ void unpack_codes_kernel(DeviceReadsView reads, std::uint32_t words_per_read, std::uint8_t* codes) {
  static_assert(text::code_n == 4, "an N holds 0 among the bases");
  const std::uint64_t orientation = thread_index() / words_per_read, word = thread_index() % words_per_read;
  if (orientation >= 2 * reads.count()) return;
  const PackedStrand read = reads.orientation(orientation);
  if (word * bases_per_thread >= read.length()) return;
  const std::uint64_t bases = read.bases.words[word], unknown = read.unknown.words[word];
  const auto four = [&](unsigned i) {
    const unsigned shift = 56 - 8 * i;
    return bytes_of(static_cast<std::uint32_t>(bases >> shift)) +
           4 * bytes_of(static_cast<std::uint32_t>(unknown >> shift));
  };
  const std::uint64_t offset = static_cast<std::uint64_t>(reads.codes_of(orientation) - reads.codes);
  auto* const out = reinterpret_cast<uint4*>(codes + offset + word * bases_per_thread);
  out[0] = {four(0), four(1), four(2), four(3)};
  out[1] = {four(4), four(5), four(6), four(7)};
}

}  // namespace

DeviceReads::DeviceReads(std::span<const ReadAlignments> reads, std::uint32_t longest_allowed, ReadStaging& staging,
                         const Stream& stream) {
  const std::span<std::uint64_t> offsets = staging.offsets.room(reads.size(), staging.share);
  const std::span<std::uint64_t> code_offsets = staging.code_offsets.room(reads.size(), staging.share);
  const std::span<std::uint32_t> lengths = staging.lengths.room(reads.size(), staging.share);
  const tbb::blocked_range<std::uint64_t> all(0, reads.size(), reads_per_task);
  tbb::parallel_for(all, [&](const auto& part) {
    for (std::uint64_t i = part.begin(); i < part.end(); ++i) {
      const std::uint32_t length = reads[i].read.length();
      lengths[i] = length <= longest_allowed && !reads[i].is_long ? length : 0;
    }
  });
  const auto words_of = [&](std::size_t i) { return lengths[i] > 0 ? 4 * packed_words(lengths[i]) : std::uint64_t{0}; };
  std::uint64_t word_count = 0, code_count = 0;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    offsets[i] = word_count, code_offsets[i] = code_count;
    longest_ = std::max(longest_, lengths[i]);
    word_count += words_of(i);
    code_count += 2 * DeviceReadsView::code_room(lengths[i]);
  }
  const std::span<std::uint64_t> words = staging.words.room(word_count, staging.share);
  tbb::parallel_for(all, [&](const auto& part) {
    for (std::uint64_t i = part.begin(); i < part.end(); ++i)
      std::copy_n(reads[i].read.words().begin(), words_of(i), words.begin() + static_cast<std::ptrdiff_t>(offsets[i]));
  });
  words_ = Buffer<std::uint64_t>(words, stream);
  offsets_ = Buffer<std::uint64_t>(offsets, stream);
  code_offsets_ = Buffer<std::uint64_t>(code_offsets, stream);
  lengths_ = Buffer<std::uint32_t>(lengths, stream);
  unpack(code_count, stream);
}

void DeviceReads::unpack(std::uint64_t code_count, const Stream& stream) {
  codes_ = Buffer<std::uint8_t>(code_count, stream);
  const std::uint32_t words_per_read = (longest_ + bases_per_thread - 1) / bases_per_thread;
  launch("unpack_codes_kernel", unpack_codes_kernel, 2 * count() * words_per_read, stream, view(), words_per_read,
         codes_.data());
}

}  // namespace warpseed::align::cuda
