#include "core/transfer.cuh"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <optional>
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

/// A buffer, and the piece that is being copied to or from it.
struct Lane {
  explicit Lane(int device) : queue(device), buffer(piece_bytes) {}
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;
  ~Lane() { cudaStreamSynchronize(queue.handle()); }  // an error may have left copies

  const WorkQueue queue;
  const PinnedBuffer buffer;
  std::optional<Copy> piece;
};

/// Begins and ends the copy of every piece: begin(lane) does not wait for the device, end(lane) does. Threads that are free
/// take the next piece, by their two lanes in turn, so that one is on the bus while the other is in a cache.
template <class Begin, class End>
void for_each_piece(std::span<const Copy> arrays, MemoryPool& pool, int threads, Begin begin, End end) {
  const std::vector<Copy> pieces = pieces_of(arrays);
  if (pieces.empty()) return;
  std::atomic<std::uint64_t> next = 0;
  const auto work = [&] {
    std::array<Lane, 2> lanes = {Lane(pool.device()), Lane(pool.device())};
    std::size_t turn = 0;
    for (std::uint64_t piece = next++; piece < pieces.size(); piece = next++) {
      Lane& lane = lanes[turn];
      if (lane.piece) end(lane);
      lane.piece = pieces[piece];
      begin(lane);
      turn = 1 - turn;
    }
    for (const Lane& lane : lanes)
      if (lane.piece) end(lane);
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
  const auto begin = [](const Lane& lane) {
    check(cudaMemcpyAsync(lane.buffer.data(), lane.piece->from, lane.piece->bytes, cudaMemcpyDeviceToHost,
                          lane.queue.handle()),
          "copying from the device");
  };
  const auto end = [](const Lane& lane) {
    lane.queue.wait();
    std::memcpy(lane.piece->to, lane.buffer.data(), lane.piece->bytes);
  };
  for_each_piece(std::span(&array, 1), pool, threads, begin, end);
}

void upload(void* device_data, const void* host, std::uint64_t bytes, MemoryPool& pool, int threads) {
  const Copy array = {device_data, host, bytes};
  upload(std::span(&array, 1), pool, threads);
}

void upload(std::span<const Copy> arrays, MemoryPool& pool, int threads) {
  const auto begin = [](const Lane& lane) {
    std::memcpy(lane.buffer.data(), lane.piece->from, lane.piece->bytes);
    check(cudaMemcpyAsync(lane.piece->to, lane.buffer.data(), lane.piece->bytes, cudaMemcpyHostToDevice,
                          lane.queue.handle()),
          "copying to the device");
  };
  for_each_piece(arrays, pool, threads, begin, [](const Lane& lane) { lane.queue.wait(); });
}

}  // namespace warpseed::cuda
