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
static_assert(DeviceStore::page_bytes <= PinnedBufferPool::buffer_bytes);

/// Page-locked memory, and copies between it and one of the devices.
class Lane final : public DeviceStore::Page {
 public:
  Lane(MemoryPool& pool, std::size_t part)
      : pool_(pool), part_(part), queue_(pool.device()), buffer_(pool.pinned_buffers().take()) {}
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;
  ~Lane() override {
    cudaStreamSynchronize(queue_.handle());
    pool_.pinned_buffers().give(std::move(buffer_));
  }

  std::size_t part() const { return part_; }
  std::span<std::byte> bytes() override { return {static_cast<std::byte*>(buffer_->data()), DeviceStore::page_bytes}; }

  /// Returns while the device still copies.
  void upload(std::byte* to, std::size_t count) {
    set_current_device(pool_.device());
    copy(to, bytes().data(), count, cudaMemcpyHostToDevice);
  }

  /// Whether another download fits; the first one does.
  bool has_room(std::size_t count) const { return used_ + count <= DeviceStore::page_bytes; }
  void begin_download(const std::byte* from, std::span<std::byte> to) {
    set_current_device(pool_.device());
    copy(bytes().data() + used_, from, to.size(), cudaMemcpyDeviceToHost);
    used_ += to.size();
    downloads_.push_back(to);
  }
  void finish_downloads() {
    wait();
    const std::byte* from = bytes().data();
    for (const std::span<std::byte> to : downloads_) {
      std::memcpy(to.data(), from, to.size());
      from += to.size();
    }
    downloads_.clear();
    used_ = 0;
  }

  void wait() const {
    set_current_device(pool_.device());
    queue_.wait();
  }

 private:
  void copy(void* to, const void* from, std::size_t count, cudaMemcpyKind kind) const {
    check(cudaMemcpyAsync(to, from, count, kind, queue_.handle()), "copying to or from the device");
  }

  MemoryPool& pool_;
  const std::size_t part_;
  const WorkQueue queue_;
  std::unique_ptr<PinnedBuffer> buffer_;
  std::vector<std::span<std::byte>> downloads_;  // one after the other in the buffer
  std::size_t used_ = 0;                         // of the buffer, by downloads
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

  std::unique_ptr<Reading> read(std::span<const Piece> pieces) override;

 private:
  class PagedReading;

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

/// Copies to a few pages at a time.
class CudaDeviceStore::PagedReading final : public Reading {
 public:
  PagedReading(CudaDeviceStore& store, std::span<const Piece> pieces) : store_(store) {
    for (const auto& [address, to] : pieces) {
      for (std::size_t done = 0; done < to.size(); done += page_bytes)
        left_.push_back({address + done, to.subspan(done, std::min(page_bytes, to.size() - done))});
    }
    begin_some();
  }

  void finish() override {
    while (!begun_.empty()) {
      std::unique_ptr<Lane> lane = std::move(begun_.front());
      begun_.pop_front();
      lane->finish_downloads();
      store_.give(std::move(lane));
      begin_some();
    }
  }

 private:
  static constexpr std::size_t most_lanes = 2;  // one is copied from by the host, to the other one by a device

  void begin_some() {
    while (!left_.empty() && begun_.size() < most_lanes) {
      const std::size_t part = store_.part_of(left_.front().address);
      begun_.push_back(store_.new_lane(part));
      Lane& lane = *begun_.back();
      const auto goes_on = [&](const Piece& piece) {
        return store_.part_of(piece.address) == part && lane.has_room(piece.to.size());
      };
      for (; !left_.empty() && goes_on(left_.front()); left_.pop_front())
        lane.begin_download(store_.at(left_.front().address), left_.front().to);
    }
  }

  CudaDeviceStore& store_;
  std::deque<Piece> left_;                   // of a page each at most
  std::deque<std::unique_ptr<Lane>> begun_;  // in order
};

std::unique_ptr<DeviceStore::Reading> CudaDeviceStore::read(std::span<const Piece> pieces) {
  return std::make_unique<PagedReading>(*this, pieces);
}

}  // namespace

std::unique_ptr<DeviceStore> make_device_store(const Backend& backend, std::uint64_t most_bytes) {
  return std::make_unique<CudaDeviceStore>(backend, most_bytes);
}

}  // namespace warpseed::cuda
