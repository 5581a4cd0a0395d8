#include "packed_counter.hpp"

#include <stdexcept>

#include "core/event.cuh"
#include "core/launch.cuh"
#include "core/transfer.cuh"
#include "index/device_index.cuh"
#include "packed_find.hpp"

namespace warpseed::cuda {

namespace {

/// Eight blocks per multiprocessor: 2048 threads with loads in flight hide the memory's latency.
__global__ void __launch_bounds__(threads_per_block, 8)
    count_kernel(index::FmView fm, View<std::uint64_t> patterns, unsigned length, std::uint32_t* counts) {
  const std::uint64_t i = thread_index();
  if (i < patterns.size) counts[i] = static_cast<std::uint32_t>(find_packed(fm, patterns[i], length).count());
}

}  // namespace

struct PackedCounter::OnDevice {
  int threads;
  Stream stream;  // declared first: destroyed after its users
  index::cuda::DeviceIndex index;
  Buffer<std::uint64_t> patterns;
  Buffer<std::uint32_t> counts;
  unsigned length = 0;

  OnDevice(const index::FmView& fm, const Backend& backend)
      : threads(backend.threads), stream(backend), index(index::cuda::upload_index(fm, stream, threads)) {}
};

PackedCounter::PackedCounter(const index::FmView& fm, const Backend& backend)
    : on_device_(std::make_unique<OnDevice>(fm, backend)) {}

PackedCounter::~PackedCounter() = default;

void PackedCounter::load(std::span<const std::uint64_t> patterns, unsigned length) {
  if (length < 1 || length > 32) throw std::invalid_argument("PackedCounter: patterns have 1 to 32 bases");
  OnDevice& held = *on_device_;
  set_current_device(held.stream.device());
  held.patterns = Buffer<std::uint64_t>(patterns.size(), held.stream);
  held.counts = Buffer<std::uint32_t>(patterns.size(), held.stream);
  held.length = length;
  held.stream.wait();
  upload(held.patterns.data(), patterns.data(), patterns.size_bytes(), held.stream.pool(), held.threads);
}

double PackedCounter::count() {
  OnDevice& held = *on_device_;
  set_current_device(held.stream.device());
  const Event begin(held.stream);
  launch("count_kernel", count_kernel, held.patterns.size(), held.stream, held.index.view(), held.patterns.view(),
         held.length, held.counts.data());
  const Event end(held.stream);
  return end.seconds_since(begin);
}

std::vector<std::uint32_t> PackedCounter::counts() const {
  const OnDevice& held = *on_device_;
  std::vector<std::uint32_t> host(held.counts.size());
  held.stream.wait();
  download(host.data(), held.counts.data(), host.size() * sizeof(std::uint32_t), held.stream.pool(), held.threads);
  return host;
}

}  // namespace warpseed::cuda
