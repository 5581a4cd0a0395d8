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

#include "core/buffer.cuh"
#include "core/entry.hpp"
#include "core/pinned.cuh"

namespace warpseed::cuda {

namespace {

constexpr std::uint64_t kept_free = std::uint64_t{16} << 30;  // for batches that grow, and to deflate what is read
constexpr std::uint64_t most_piece_bytes = 256 << 20;
constexpr unsigned piece_shift = 32;  // of an address; the bits below are an offset in a piece
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

  DevicePart(MemoryPool& pool, std::uint64_t most_bytes)
      : stream_(pool),
        piece_bytes_(std::min(most_bytes, most_piece_bytes)),
        most_pieces_(piece_bytes_ > 0 ? most_bytes / piece_bytes_ : 0) {}

  std::optional<Room> take(std::uint64_t bytes) {
    if (bytes > piece_bytes_) return std::nullopt;
    if ((pieces_.empty() || used_ + bytes > piece_bytes_) && !add_piece()) return std::nullopt;
    return Room{pieces_.size() - 1, std::exchange(used_, used_ + bytes)};
  }
  std::byte* at(const Room& room) { return pieces_[room.piece].data() + room.offset; }

  /// The lane that has been free for longest, or a new one.
  std::unique_ptr<Lane> take_lane() {
    if (lanes_.empty()) return std::make_unique<Lane>(stream_.pool());
    std::unique_ptr<Lane> lane = std::move(lanes_.front());
    lanes_.pop_front();
    return lane;
  }
  void give(std::unique_ptr<Lane> lane) { lanes_.push_back(std::move(lane)); }
  void wait() const {
    for (const auto& lane : lanes_) lane->wait();
  }

 private:
  bool add_piece() {
    is_full_ = is_full_ || pieces_.size() == most_pieces_ || stream_.pool().free_bytes() < kept_free + piece_bytes_;
    if (is_full_) return false;
    set_current_device(stream_.device());
    try {
      pieces_.emplace_back(piece_bytes_, stream_);
    } catch (const OutOfDeviceMemory&) {  // others have taken it meanwhile
      is_full_ = true;
      return false;
    }
    stream_.wait();  // lanes have other streams
    used_ = 0;
    return true;
  }

  const Stream stream_;  // first: the pieces use it
  const std::uint64_t piece_bytes_, most_pieces_;
  std::vector<Buffer<std::byte>> pieces_;
  std::uint64_t used_ = 0;  // of the last piece
  bool is_full_ = false;
  std::deque<std::unique_ptr<Lane>> lanes_;  // free ones; last: they copy from and to the pieces
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
