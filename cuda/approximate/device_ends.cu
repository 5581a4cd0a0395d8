#include "approximate/device_ends.cuh"

#include <oneapi/tbb/parallel_sort.h>
#include <oneapi/tbb/task_arena.h>
#include <thrust/iterator/discard_iterator.h>

#include <algorithm>
#include <cub/device/device_select.cuh>

#include "core/primitives.cuh"
#include "core/transfer.cuh"

namespace warpseed::approximate::cuda {

namespace {

/// Compares packed ends without their differences.
struct SameEnd {
  __host__ __device__ bool operator()(std::uint64_t a, std::uint64_t b) const {
    return a >> PackedEnd::difference_bits == b >> PackedEnd::difference_bits;
  }
};

}  // namespace

DeviceEnds::DeviceEnds(const PackedEnd& packing, std::uint64_t patterns, std::uint64_t room, const Stream& stream,
                       int threads)
    : stream_(stream),
      threads_(threads),
      packing_(packing),
      patterns_(patterns),
      ends_(room, stream),
      counter_(1, stream) {
  counter_.fill_zero();
}

bool DeviceEnds::accept() {
  const std::uint32_t count = counter_.value_at(0);
  if (count > room()) {
    set_count(count_);
    return false;
  }
  count_ = count;
  return true;
}

void DeviceEnds::make_room(std::uint64_t wanted) {
  if (room() - count_ >= wanted) return;
  keep_best();
  if (room() - count_ < std::max(wanted, room() / 2)) store();
}

PackedEnds DeviceEnds::take() {
  keep_best();
  store();
  if (portions_ > 1) {
    tbb::task_arena arena(threads_);
    arena.execute([&] { tbb::parallel_sort(stored_.begin(), stored_.end()); });
    stored_.erase(std::unique(stored_.begin(), stored_.end(), SameEnd{}), stored_.end());
  }
  portions_ = 0;
  return std::move(stored_);
}

void DeviceEnds::keep_best() {
  if (count_ == 0) return;
  Buffer<std::uint64_t> sorted(count_, stream_);
  Buffer<std::uint64_t> kept(1, stream_);
  const auto bits = static_cast<int>(packing_.bits_for(patterns_));
  with_temporary_storage("sorting ends", stream_, [&](void* storage, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortKeys(storage, bytes, ends_.data(), sorted.data(), count_, 0, bits,
                                          stream_.handle());
  });
  with_temporary_storage("removing ends found twice", stream_, [&](void* storage, std::size_t& bytes) {
    return cub::DeviceSelect::UniqueByKey(storage, bytes, sorted.data(), sorted.data(), ends_.data(),
                                          thrust::make_discard_iterator(), kept.data(), count_, SameEnd{},
                                          stream_.handle());
  });
  set_count(kept.value_at(0));
}

/// Moves the ends to host memory.
void DeviceEnds::store() {
  const std::size_t before = stored_.size();
  stored_.resize(before + count_);
  stream_.wait();
  download(stored_.data() + before, ends_.data(), count_ * sizeof(std::uint64_t), stream_.pool(), threads_);
  set_count(0);
  ++portions_;
}

void DeviceEnds::set_count(std::uint64_t count) {
  count_ = count;
  const auto stored = static_cast<std::uint32_t>(count);
  check(cudaMemcpyAsync(counter_.data(), &stored, sizeof stored, cudaMemcpyHostToDevice, stream_.handle()),
        "setting a counter");
  stream_.wait();
}

}  // namespace warpseed::approximate::cuda
