#include "align/device_reads.cuh"

#include <algorithm>
#include <vector>

#include "core/launch.cuh"
#include "core/parallel.hpp"
#include "core/transfer.cuh"

namespace warpseed::cuda {

namespace {

constexpr std::uint32_t bases_a_thread = 32;  // a word

/// A thread unpacks one word of one orientation.
__global__ void unpack_codes_kernel(DeviceReadsView reads, std::uint32_t words_a_read, std::uint8_t* codes) {
  const std::uint64_t orientation = thread_index() / words_a_read;
  const auto begin = static_cast<std::uint32_t>(thread_index() % words_a_read) * bases_a_thread;
  if (orientation >= 2 * reads.count()) return;
  const PackedRead read = reads.orientation(orientation);
  if (begin >= read.length()) return;
  std::uint8_t* out = codes + (reads.codes_of(orientation) - reads.codes);
  const std::uint32_t end = begin + bases_a_thread < read.length() ? begin + bases_a_thread : read.length();
  for (std::uint32_t i = begin; i < end; ++i) out[i] = read.unknown[i] != 0 ? code_n : read.bases[i];
}

}  // namespace

DeviceReads::DeviceReads(std::span<const PlacedRead> reads, std::uint32_t longest_allowed, const Stream& stream,
                         int threads) {
  std::vector<std::uint64_t> offsets(reads.size()), code_offsets(reads.size());
  std::vector<std::uint32_t> lengths(reads.size());
  std::uint64_t word_count = 0, code_count = 0;
  const auto words_of = [&](std::size_t i) { return lengths[i] > 0 ? reads[i].read.words.size() : 0; };
  for (std::size_t i = 0; i < reads.size(); ++i) {
    offsets[i] = word_count, code_offsets[i] = code_count;
    lengths[i] = reads[i].read.length() <= longest_allowed ? reads[i].read.length() : 0;
    longest_ = std::max(longest_, lengths[i]);
    word_count += words_of(i);
    code_count += 2 * std::uint64_t{lengths[i]};
  }
  std::vector<std::uint64_t> words(word_count);
  for_blocks(threads, reads.size(), 4096, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
      const auto& from = reads[i].read.words;
      std::copy_n(from.begin(), words_of(i), words.begin() + static_cast<std::ptrdiff_t>(offsets[i]));
    }
  });
  words_ = Buffer<std::uint64_t>(word_count, stream);
  offsets_ = Buffer<std::uint64_t>(offsets.size(), stream);
  code_offsets_ = Buffer<std::uint64_t>(code_offsets.size(), stream);
  lengths_ = Buffer<std::uint32_t>(lengths.size(), stream);
  stream.wait();  // the copies run on streams of their own
  upload(words_.data(), words.data(), word_count * sizeof(std::uint64_t), stream.device(), threads);
  upload(offsets_.data(), offsets.data(), offsets.size() * sizeof(std::uint64_t), stream.device(), threads);
  upload(code_offsets_.data(), code_offsets.data(), offsets.size() * sizeof(std::uint64_t), stream.device(), threads);
  upload(lengths_.data(), lengths.data(), lengths.size() * sizeof(std::uint32_t), stream.device(), threads);
  unpack(code_count, stream);
}

void DeviceReads::unpack(std::uint64_t code_count, const Stream& stream) {
  codes_ = Buffer<std::uint8_t>(code_count, stream);
  const std::uint32_t words_a_read = (longest_ + bases_a_thread - 1) / bases_a_thread;
  launch("unpack_codes_kernel", unpack_codes_kernel, 2 * count() * words_a_read, stream, view(), words_a_read,
         codes_.data());
}

}  // namespace warpseed::cuda
