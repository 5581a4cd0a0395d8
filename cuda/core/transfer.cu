#include "core/transfer.cuh"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "core/background_thread.hpp"
#include "core/check.cuh"
#include "core/pinned.cuh"
#include "core/stream.cuh"

namespace warpseed::cuda {

namespace {

constexpr std::uint64_t piece_bytes = PinnedBufferPool::buffer_bytes;
constexpr int max_threads = 8;  // 8 x 8 GB/s of memcpy exceed the speed of the bus

/// Runs move(queue, buffer, begin, size) for every piece. Threads that are free take the next piece.
template <class Move>
void for_each_piece(std::uint64_t bytes, MemoryPool& pool, int threads, Move move) {
  if (bytes == 0) return;
  const std::uint64_t pieces = (bytes + piece_bytes - 1) / piece_bytes;
  std::atomic<std::uint64_t> next = 0;
  const auto work = [&] {
    const WorkQueue queue(pool.device());
    std::unique_ptr<PinnedBuffer> buffer = pool.pinned_buffers().take();
    for (std::uint64_t piece = next++; piece < pieces; piece = next++) {
      const std::uint64_t begin = piece * piece_bytes;
      move(queue, buffer->data(), begin, std::min(piece_bytes, bytes - begin));
    }
    pool.pinned_buffers().give(std::move(buffer));
  };
  const auto wanted = std::min<std::uint64_t>(pieces, static_cast<std::uint64_t>(std::clamp(threads, 1, max_threads)));
  std::vector<BackgroundThread<>> others;
  for (std::uint64_t i = 1; i < wanted; ++i) others.emplace_back(work);
  work();
  for (const auto& other : others) other.get();
}

}  // namespace

void download(void* host, const void* device_data, std::uint64_t bytes, MemoryPool& pool, int threads) {
  for_each_piece(bytes, pool, threads,
                 [&](const WorkQueue& queue, void* buffer, std::uint64_t begin, std::uint64_t size) {
                   check(cudaMemcpyAsync(buffer, static_cast<const std::byte*>(device_data) + begin, size,
                                         cudaMemcpyDeviceToHost, queue.handle()),
                         "copying from the device");
                   queue.wait();
                   std::memcpy(static_cast<std::byte*>(host) + begin, buffer, size);
                 });
}

void upload(void* device_data, const void* host, std::uint64_t bytes, MemoryPool& pool, int threads) {
  for_each_piece(bytes, pool, threads,
                 [&](const WorkQueue& queue, void* buffer, std::uint64_t begin, std::uint64_t size) {
                   std::memcpy(buffer, static_cast<const std::byte*>(host) + begin, size);
                   check(cudaMemcpyAsync(static_cast<std::byte*>(device_data) + begin, buffer, size,
                                         cudaMemcpyHostToDevice, queue.handle()),
                         "copying to the device");
                   queue.wait();
                 });
}

}  // namespace warpseed::cuda
