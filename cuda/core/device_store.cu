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

/// Page-locked memory, and copies from it to one of the devices.
class Lane final : public DeviceStore::Page {
 public:
  Lane(MemoryPool& pool, std::size_t part)
      : pool_(pool), part_(part), queue_(pool.device()), buffer_(DeviceStore::page_bytes) {}
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;
  ~Lane() override { cudaStreamSynchronize(queue_.handle()); }

  std::size_t part() const { return part_; }
  std::span<std::byte> bytes() override { return {static_cast<std::byte*>(buffer_.data()), DeviceStore::page_bytes}; }

  /// Returns while the device still copies.
  void upload(std::byte* to, std::size_t count) {
    set_current_device(pool_.device());
    check(cudaMemcpyAsync(to, buffer_.data(), count, cudaMemcpyHostToDevice, queue_.handle()), "copying to the device");
  }

  void wait() const {
    set_current_device(pool_.device());
    queue_.wait();
  }

 private:
  MemoryPool& pool_;
  const std::size_t part_;
  const WorkQueue queue_;
  const PinnedBuffer buffer_;
};

class PinnedMemory final : public DeviceStore::Memory {
 public:
  explicit PinnedMemory(int device) : device_(device) {}
  std::span<std::byte> room(std::size_t bytes) override {
    set_current_device(device_);
    return bytes_.room(bytes);
  }

 private:
  const int device_;  // any: what is locked for one is locked for all, as they share their addresses with the host
  PinnedArray<std::byte> bytes_;
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

  /// For reading.
  std::unique_ptr<WorkQueue> take_queue() {
    if (queues_.empty()) return nullptr;
    std::unique_ptr<WorkQueue> queue = std::move(queues_.back());
    queues_.pop_back();
    return queue;
  }
  void give(std::unique_ptr<WorkQueue> queue) { queues_.push_back(std::move(queue)); }

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
  std::vector<std::unique_ptr<WorkQueue>> queues_;
  std::deque<std::unique_ptr<Lane>> lanes_;  // free ones; last: they copy to the pieces
};

class CudaDeviceStore final : public DeviceStore {
 public:
  CudaDeviceStore(const Backend& backend, std::uint64_t most_bytes) : pools_(backend.pools) {
    for (const int device : backend.all_devices()) parts_.emplace_back(pools_of(backend).of(device), most_bytes);
  }

  std::unique_ptr<Page> new_page() override { return new_lane(next_++ % parts_.size()); }

  std::optional<std::uint64_t> append(std::unique_ptr<Page> page, std::size_t bytes) override {
    if (bytes > page_bytes) throw std::invalid_argument("DeviceStore: more bytes than a page has");
    std::unique_ptr<Lane> lane(static_cast<Lane*>(page.release()));
    const std::size_t first = lane->part();
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const std::size_t number = (first + i) % parts_.size();
      const auto [room, to] = take_room(number, bytes);
      if (!to) continue;
      if (number != first) lane = moved(*lane, number, bytes);
      lane->upload(to, bytes);
      give(std::move(lane));
      return (room.piece * parts_.size() + number) << piece_shift | room.offset;
    }
    give(std::move(lane));
    return std::nullopt;
  }

  void wait() override {
    const std::lock_guard lock(mutex_);
    for (const DevicePart& part : parts_) part.wait();
  }

  std::unique_ptr<Memory> new_memory() override {
    return std::make_unique<PinnedMemory>(parts_.front().pool().device());
  }

  std::unique_ptr<Reading> read(std::span<const Piece> pieces) override {
    auto reading = std::make_unique<QueuedReading>(*this);
    for (const Piece& piece : pieces) reading->add(piece);
    return reading;
  }

 private:
  /// Copies of each device, one after the other.
  class QueuedReading final : public Reading {
   public:
    explicit QueuedReading(CudaDeviceStore& store) : store_(store), queues_(store.parts_.size()) {}
    QueuedReading(const QueuedReading&) = delete;
    QueuedReading& operator=(const QueuedReading&) = delete;
    ~QueuedReading() override {
      for (const auto& queue : queues_)
        if (queue) cudaStreamSynchronize(queue->handle());
    }

    void add(const Piece& piece) {
      const std::size_t part = store_.part_of(piece.address);
      std::unique_ptr<WorkQueue>& queue = queues_[part];
      if (!queue) queue = store_.new_queue(part);
      set_current_device(store_.parts_[part].pool().device());
      check(cudaMemcpyAsync(piece.to.data(), store_.at(piece.address), piece.to.size(), cudaMemcpyDeviceToHost,
                            queue->handle()),
            "copying from the device");
    }

    void finish() override {
      for (std::size_t part = 0; part < queues_.size(); ++part) {
        if (!queues_[part]) continue;
        set_current_device(store_.parts_[part].pool().device());
        queues_[part]->wait();
        store_.give(part, std::move(queues_[part]));
      }
    }

   private:
    CudaDeviceStore& store_;
    std::vector<std::unique_ptr<WorkQueue>> queues_;  // of parts that are read from
  };

  /// A lane whose copies are over.
  std::unique_ptr<Lane> new_lane(std::size_t part) {
    std::unique_ptr<Lane> lane;
    {
      const std::lock_guard lock(mutex_);
      lane = parts_[part].take_lane();
    }
    if (!lane) return std::make_unique<Lane>(parts_[part].pool(), part);
    lane->wait();
    return lane;
  }

  /// A lane of another part with the same bytes.
  std::unique_ptr<Lane> moved(Lane& from, std::size_t part, std::size_t bytes) {
    std::unique_ptr<Lane> lane = new_lane(part);
    std::memcpy(lane->bytes().data(), from.bytes().data(), bytes);
    return lane;
  }

  void give(std::unique_ptr<Lane> lane) {
    const std::lock_guard lock(mutex_);
    parts_[lane->part()].give(std::move(lane));
  }

  std::unique_ptr<WorkQueue> new_queue(std::size_t part) {
    std::unique_ptr<WorkQueue> queue;
    {
      const std::lock_guard lock(mutex_);
      queue = parts_[part].take_queue();
    }
    if (!queue) queue = std::make_unique<WorkQueue>(parts_[part].pool().device());
    return queue;
  }
  void give(std::size_t part, std::unique_ptr<WorkQueue> queue) {
    const std::lock_guard lock(mutex_);
    parts_[part].give(std::move(queue));
  }

  /// Null if the part has no room left.
  std::pair<DevicePart::Room, std::byte*> take_room(std::size_t number, std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    DevicePart& part = parts_[number];
    const std::optional<DevicePart::Room> room = part.take(bytes);
    if (!room) return {};
    return {*room, part.at(*room)};
  }

  const std::byte* at(std::uint64_t address) {
    const std::uint64_t piece = address >> piece_shift, offset = address & ((std::uint64_t{1} << piece_shift) - 1);
    const std::lock_guard lock(mutex_);
    return parts_[piece % parts_.size()].at({piece / parts_.size(), offset});
  }
  std::size_t part_of(std::uint64_t address) const { return (address >> piece_shift) % parts_.size(); }

  const std::shared_ptr<DevicePools> pools_;  // first: the parts use them
  std::mutex mutex_;                          // guards the parts
  std::deque<DevicePart> parts_;
  std::atomic<std::size_t> next_{0};  // part of the next page
};

}  // namespace

std::unique_ptr<DeviceStore> make_device_store(const Backend& backend, std::uint64_t most_bytes) {
  return std::make_unique<CudaDeviceStore>(backend, most_bytes);
}

}  // namespace warpseed::cuda
