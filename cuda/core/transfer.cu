#include "core/transfer.cuh"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <vector>

#include "core/background_thread.hpp"
#include "core/check.cuh"
#include "core/pinned.cuh"
#include "core/stream.cuh"

namespace warpseed::cuda {

namespace {

constexpr std::uint64_t piece_bytes = 4 << 20;  // large enough for full bus speed, small enough for a cache
constexpr int max_threads = 8;                  // 8 x 8 GB/s of memcpy exceed the speed of the bus

/// Cuts arrays into pieces that a pinned buffer holds.
std::vector<Copy> pieces_of(std::span<const Copy> arrays) {
  std::vector<Copy> pieces;
  for (const Copy& array : arrays) {
    for (std::uint64_t begin = 0; begin < array.bytes; begin += piece_bytes) {
      pieces.push_back({static_cast<std::byte*>(array.to) + begin, static_cast<const std::byte*>(array.from) + begin,
                        std::min(piece_bytes, array.bytes - begin)});
    }
  }
  return pieces;
}

/// Runs move(queue, buffer, piece) for every piece. Threads that are free take the next piece.
template <class Move>
void for_each_piece(std::span<const Copy> arrays, MemoryPool& pool, int threads, Move move) {
  const std::vector<Copy> pieces = pieces_of(arrays);
  if (pieces.empty()) return;
  std::atomic<std::uint64_t> next = 0;
  const auto work = [&] {
    const WorkQueue queue(pool.device());
    const PinnedBuffer buffer(piece_bytes);
    for (std::uint64_t piece = next++; piece < pieces.size(); piece = next++) {
      move(queue, buffer.data(), pieces[piece]);
    }
  };
  const auto wanted =
      std::min<std::uint64_t>(pieces.size(), static_cast<std::uint64_t>(std::clamp(threads, 1, max_threads)));
  std::vector<BackgroundThread<>> others;
  for (std::uint64_t i = 1; i < wanted; ++i) others.emplace_back(work);
  work();
  for (const auto& other : others) other.get();
}

}  // namespace

void download(void* host, const void* device_data, std::uint64_t bytes, MemoryPool& pool, int threads) {
  const Copy array = {host, device_data, bytes};
  for_each_piece(std::span(&array, 1), pool, threads, [](const WorkQueue& queue, void* buffer, const Copy& piece) {
    check(cudaMemcpyAsync(buffer, piece.from, piece.bytes, cudaMemcpyDeviceToHost, queue.handle()),
          "copying from the device");
    queue.wait();
    std::memcpy(piece.to, buffer, piece.bytes);
  });
}

void upload(void* device_data, const void* host, std::uint64_t bytes, MemoryPool& pool, int threads) {
  const Copy array = {device_data, host, bytes};
  upload(std::span(&array, 1), pool, threads);
}

void upload(std::span<const Copy> arrays, MemoryPool& pool, int threads) {
  for_each_piece(arrays, pool, threads, [](const WorkQueue& queue, void* buffer, const Copy& piece) {
    std::memcpy(buffer, piece.from, piece.bytes);
    check(cudaMemcpyAsync(piece.to, buffer, piece.bytes, cudaMemcpyHostToDevice, queue.handle()),
          "copying to the device");
    queue.wait();
  });
}

}  // namespace warpseed::cuda
