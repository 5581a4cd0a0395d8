#include "core/device_store.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/background_thread.hpp"
#include "core/buffer.cuh"
#include "core/entry.hpp"
#include "core/pinned.cuh"

namespace warpseed::cuda {

namespace {

constexpr std::uint64_t kept_free = std::uint64_t{16} << 30;  // for batches that grow, and to deflate what is read
constexpr std::uint64_t most_piece_bytes = 256 << 20;         // takes the driver 10 ms or more
constexpr unsigned piece_shift = 32;                          // of an address; the bits below are an offset in a piece
static_assert(most_piece_bytes < std::uint64_t{1} << piece_shift);
static_assert(DeviceStore::most_appended <= PinnedBufferPool::buffer_bytes);

/// One copy at a time, through page-locked memory.
class Lane {
 public:
  explicit Lane(MemoryPool& pool) : pool_(pool), queue_(pool.device()), buffer_(pool.pinned_buffers().take()) {}
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;
  ~Lane() {
    cudaStreamSynchronize(queue_.handle());
    pool_.pinned_buffers().give(std::move(buffer_));
  }

  /// Returns while the device still copies.
  void upload(std::byte* to, std::span<const std::byte> bytes) {
    wait();  // for the copy before
    std::memcpy(buffer_->data(), bytes.data(), bytes.size());
    copy(to, buffer_->data(), bytes.size(), cudaMemcpyHostToDevice);
  }
  void download(const std::byte* from, std::span<std::byte> bytes) {
    wait();
    copy(buffer_->data(), from, bytes.size(), cudaMemcpyDeviceToHost);
    wait();
    std::memcpy(bytes.data(), buffer_->data(), bytes.size());
  }
  void wait() const {
    set_current_device(pool_.device());
    queue_.wait();
  }

 private:
  void copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) const {
    check(cudaMemcpyAsync(to, from, bytes, kind, queue_.handle()), "copying to or from the device");
  }

  MemoryPool& pool_;
  const WorkQueue queue_;
  std::unique_ptr<PinnedBuffer> buffer_;
};

/// The part of the store on one device. Threads: one at a time.
class DevicePart {
 public:
  struct Room {
    std::uint64_t piece, offset;
  };

  DevicePart(MemoryPool& pool, std::uint64_t most_bytes) : stream_(pool), left_bytes_(most_bytes) {}

  MemoryPool& pool() const { return stream_.pool(); }

  std::optional<Room> take(std::uint64_t bytes) {
    const bool has_room = !pieces_.empty() && bytes <= pieces_.back().size() - used_;
    if (!has_room && !add_piece(bytes)) return std::nullopt;
    return Room{pieces_.size() - 1, std::exchange(used_, used_ + bytes)};
  }
  std::byte* at(const Room& room) { return pieces_[room.piece].data() + room.offset; }

  /// The lane that has been free for longest; null if none is free.
  std::unique_ptr<Lane> take_lane() {
    if (lanes_.empty()) return nullptr;
    std::unique_ptr<Lane> lane = std::move(lanes_.front());
    lanes_.pop_front();
    return lane;
  }
  void give(std::unique_ptr<Lane> lane) { lanes_.push_back(std::move(lane)); }
  void wait() const {
    for (const auto& lane : lanes_) lane->wait();
  }

 private:
  /// The next piece is made in the background: all who append wait for one that is missing.
  bool add_piece(std::uint64_t least_bytes) {
    if (pieces_.empty() && !growth_) grow();
    if (!growth_) return false;
    growth_->get();
    if (next_.size() == 0 || next_.size() < least_bytes) return false;
    left_bytes_ -= next_.size();
    pieces_.push_back(std::exchange(next_, {}));
    used_ = 0;
    growth_.reset();
    if (left_bytes_ > 0) grow();
    return true;
  }

  void grow() {
    growth_.emplace([this] {
      const std::uint64_t bytes = std::min(left_bytes_, most_piece_bytes);
      if (bytes == 0 || stream_.pool().free_bytes() < kept_free + bytes) return;
      set_current_device(stream_.device());
      try {
        next_ = Buffer<std::byte>(bytes, stream_);
      } catch (const OutOfDeviceMemory&) {  // others have taken it meanwhile
      }
      stream_.wait();  // lanes have other streams
    });
  }

  const Stream stream_;       // first: the pieces use it
  std::uint64_t left_bytes_;  // for further pieces
  std::vector<Buffer<std::byte>> pieces_;
  std::uint64_t used_ = 0;                    // of the last piece
  Buffer<std::byte> next_;                    // made by growth_; empty if there is no more memory
  std::optional<BackgroundThread<>> growth_;  // of the next piece; none: there is no room for it
  std::deque<std::unique_ptr<Lane>> lanes_;   // free ones; last: they copy from and to the pieces
};

class CudaDeviceStore final : public DeviceStore {
 public:
  CudaDeviceStore(const Backend& backend, std::uint64_t most_bytes) : pools_(backend.pools) {
    for (const int device : backend.all_devices()) parts_.emplace_back(pools_of(backend).of(device), most_bytes);
  }

  std::optional<std::uint64_t> append(std::span<const std::byte> bytes) override {
    if (bytes.size() > most_appended) throw std::invalid_argument("DeviceStore: too many bytes at a time");
    const std::size_t first = next_++;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const std::size_t number = (first + i) % parts_.size();
      std::unique_lock lock(mutex_);
      DevicePart& part = parts_[number];
      const std::optional<DevicePart::Room> room = part.take(bytes.size());
      if (!room) continue;
      std::byte* const to = part.at(*room);
      with_lane(part, lock, [&](Lane& lane) { lane.upload(to, bytes); });
      return (room->piece * parts_.size() + number) << piece_shift | room->offset;
    }
    return std::nullopt;
  }

  void wait() override {
    const std::lock_guard lock(mutex_);
    for (const DevicePart& part : parts_) part.wait();
  }

  void read(std::uint64_t from, std::span<std::byte> to) override {
    const std::uint64_t piece = from >> piece_shift, offset = from & ((std::uint64_t{1} << piece_shift) - 1);
    DevicePart& part = parts_[piece % parts_.size()];
    std::unique_lock lock(mutex_);
    const std::byte* const bytes = part.at({piece / parts_.size(), offset});
    with_lane(part, lock, [&](Lane& lane) {
      for (std::size_t done = 0; done < to.size(); done += most_appended)
        lane.download(bytes + done, to.subspan(done, std::min(most_appended, to.size() - done)));
    });
  }

 private:
  /// Calls work(lane) without the lock.
  template <class Work>
  static void with_lane(DevicePart& part, std::unique_lock<std::mutex>& lock, const Work& work) {
    std::unique_ptr<Lane> lane = part.take_lane();
    lock.unlock();
    if (!lane) lane = std::make_unique<Lane>(part.pool());
    work(*lane);
    lock.lock();
    part.give(std::move(lane));
  }

  const std::shared_ptr<DevicePools> pools_;  // first: the parts use them
  std::mutex mutex_;                          // guards the parts
  std::deque<DevicePart> parts_;
  std::atomic<std::size_t> next_{0};  // part to be asked first
};

}  // namespace

std::unique_ptr<DeviceStore> make_device_store(const Backend& backend, std::uint64_t most_bytes) {
  return std::make_unique<CudaDeviceStore>(backend, most_bytes);
}

}  // namespace warpseed::cuda
