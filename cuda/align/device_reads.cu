#include "align/device_reads.cuh"

#include <algorithm>
#include <vector>

#include "core/parallel.hpp"
#include "core/transfer.cuh"

namespace warpseed::cuda {

DeviceReads::DeviceReads(std::span<const PlacedRead> reads, const Stream& stream, int threads) {
  std::vector<std::uint64_t> offsets(reads.size());
  std::vector<std::uint32_t> lengths(reads.size());
  std::uint64_t word_count = 0;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    offsets[i] = word_count;
    lengths[i] = reads[i].read.length();
    word_count += reads[i].read.words.size();
  }
  std::vector<std::uint64_t> words(word_count);
  for_blocks(threads, reads.size(), 4096, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
      const auto& from = reads[i].read.words;
      std::copy(from.begin(), from.end(), words.begin() + static_cast<std::ptrdiff_t>(offsets[i]));
    }
  });
  words_ = Buffer<std::uint64_t>(word_count, stream);
  offsets_ = Buffer<std::uint64_t>(offsets.size(), stream);
  lengths_ = Buffer<std::uint32_t>(lengths.size(), stream);
  stream.wait();  // the copies run on streams of their own
  upload(words_.data(), words.data(), word_count * sizeof(std::uint64_t), stream.device(), threads);
  upload(offsets_.data(), offsets.data(), offsets.size() * sizeof(std::uint64_t), stream.device(), threads);
  upload(lengths_.data(), lengths.data(), lengths.size() * sizeof(std::uint32_t), stream.device(), threads);
}

}  // namespace warpseed::cuda
