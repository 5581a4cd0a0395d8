#include "align/device_reads.cuh"

#include <algorithm>
#include <vector>

#include "core/launch.cuh"
#include "core/parallel.hpp"
#include "core/transfer.cuh"
#include "text/alphabet.hpp"

namespace warpseed::cuda {

namespace {

/// One warp a read: neighbouring lanes turn neighbouring bases.
__global__ void turn_kernel(DeviceReadsView reads, std::uint8_t* codes) {
  const std::uint64_t read = thread_index() / warpSize;
  if (read >= reads.count()) return;
  const std::uint32_t length = reads.length(read);
  const std::uint8_t* from = reads.codes_of(2 * read);
  std::uint8_t* to = codes + (reads.codes_of(2 * read + 1) - reads.codes);
  for (std::uint32_t i = threadIdx.x % warpSize; i < length; i += warpSize) to[i] = complement(from[length - 1 - i]);
}

}  // namespace

DeviceReads::DeviceReads(std::span<const PlacedRead> reads, const Stream& stream, int threads) {
  std::vector<std::uint64_t> offsets(reads.size() + 1);
  for (std::size_t i = 0; i < reads.size(); ++i) offsets[i + 1] = offsets[i] + reads[i].read.length();
  const std::uint64_t bases = offsets.back();
  std::vector<std::uint8_t> codes(bases);
  for_blocks(threads, reads.size(), 4096, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
      const auto& forward = reads[i].read.forward;
      std::copy(forward.begin(), forward.end(), codes.begin() + static_cast<std::ptrdiff_t>(offsets[i]));
    }
  });
  codes_ = Buffer<std::uint8_t>(2 * bases, stream);
  offsets_ = Buffer<std::uint64_t>(offsets.size(), stream);
  stream.wait();  // the copies run on streams of their own
  upload(codes_.data(), codes.data(), bases, stream.device(), threads);
  upload(offsets_.data(), offsets.data(), offsets.size() * sizeof(std::uint64_t), stream.device(), threads);
  launch("turn_kernel", turn_kernel, 32 * count(), stream, view(), codes_.data());
  stream.wait();
}

}  // namespace warpseed::cuda
