#include "core/transfer.cuh"

#include <algorithm>
#include <array>
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

/// A buffer, and the copies from or to it.
struct Lane {
  explicit Lane(int device) : queue(device), buffer(piece_bytes) {}
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;
  ~Lane() { cudaStreamSynchronize(queue.handle()); }  // an error may have left copies

  const WorkQueue queue;
  const PinnedBuffer buffer;
};

/// Runs move(lane, piece) for every piece, and waits for the lanes. Threads that are free take the next piece, by their two
/// lanes in turn.
template <class Move>
void for_each_piece(std::span<const Copy> arrays, MemoryPool& pool, int threads, Move move) {
  const std::vector<Copy> pieces = pieces_of(arrays);
  if (pieces.empty()) return;
  std::atomic<std::uint64_t> next = 0;
  const auto work = [&] {
    const std::array<Lane, 2> lanes = {Lane(pool.device()), Lane(pool.device())};
    std::size_t lane = 0;
    for (std::uint64_t piece = next++; piece < pieces.size(); piece = next++) {
      move(lanes[lane], pieces[piece]);
      lane = 1 - lane;
    }
    for (const Lane& each : lanes) each.queue.wait();
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
  for_each_piece(std::span(&array, 1), pool, threads, [](const Lane& lane, const Copy& piece) {
    check(cudaMemcpyAsync(lane.buffer.data(), piece.from, piece.bytes, cudaMemcpyDeviceToHost, lane.queue.handle()),
          "copying from the device");
    lane.queue.wait();
    std::memcpy(piece.to, lane.buffer.data(), piece.bytes);
  });
}

void upload(void* device_data, const void* host, std::uint64_t bytes, MemoryPool& pool, int threads) {
  const Copy array = {device_data, host, bytes};
  upload(std::span(&array, 1), pool, threads);
}

void upload(std::span<const Copy> arrays, MemoryPool& pool, int threads) {
  for_each_piece(arrays, pool, threads, [](const Lane& lane, const Copy& piece) {
    lane.queue.wait();  // for the copy before
    std::memcpy(lane.buffer.data(), piece.from, piece.bytes);
    check(cudaMemcpyAsync(piece.to, lane.buffer.data(), piece.bytes, cudaMemcpyHostToDevice, lane.queue.handle()),
          "copying to the device");
  });
}

}  // namespace warpseed::cuda
