// The CUDA entry of suffix/common_extension.hpp: all data stays on the device. Pairs are processed in pieces: the host
// copies one while others are on the bus or in a kernel.
#include <algorithm>
#include <array>
#include <stdexcept>

#include "core/launch.cuh"
#include "core/pinned.cuh"
#include "core/timing.hpp"
#include "core/transfer.cuh"
#include "suffix/bounded_text.cuh"
#include "suffix/entry.hpp"
#include "suffix/inverse.cuh"
#include "suffix/lcp.cuh"
#include "suffix/rmq.cuh"
#include "suffix/sort_rows.cuh"

namespace warpseed::suffix::cuda {

namespace {

using Pair = PositionPair<std::uint32_t>;
using View32 = ExtensionView<std::uint32_t>;

constexpr std::uint64_t piece_pairs = 1 << 17;  // 1 MB to the device: half of what the bus carries during a launch
constexpr std::size_t slot_count = 4;

__global__ void extend_kernel(View32 view, View<Pair> pairs, std::uint32_t* lengths) {
  const std::uint64_t i = thread_index();
  if (i < pairs.size) lengths[i] = common_extension(view, pairs[i]);
}

/// Buffers of a piece on host and device, with a stream.
class Slot {
 public:
  explicit Slot(const Backend& backend)
      : stream_(backend),
        pairs_(piece_pairs, stream_),
        lengths_(piece_pairs, stream_),
        host_pairs_(piece_pairs * sizeof(Pair)),
        host_lengths_(piece_pairs * sizeof(std::uint32_t)) {}

  /// Queues a piece; finish() writes the answers to `lengths`.
  void start(const View32& view, std::span<const Pair> pairs, std::span<std::uint32_t> lengths) {
    Pair* const copy = static_cast<Pair*>(host_pairs_.data());
    std::uint32_t furthest = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      copy[i] = pairs[i];
      furthest = std::max({furthest, pairs[i].first, pairs[i].second});
    }
    if (furthest >= view.text.size()) throw std::invalid_argument("CommonExtension: a position beyond the text");
    pairs_.upload({copy, pairs.size()});
    launch("extend_kernel", extend_kernel, pairs.size(), stream_, view, View<Pair>(pairs_.data(), pairs.size()),
           lengths_.data());
    lengths_.download({static_cast<std::uint32_t*>(host_lengths_.data()), pairs.size()});
    answers_ = lengths;
  }

  void finish() {
    stream_.wait();
    std::copy_n(static_cast<const std::uint32_t*>(host_lengths_.data()), answers_.size(), answers_.data());
    answers_ = {};
  }

  /// Waits for the queued work and drops it.
  void abandon() {
    cudaStreamSynchronize(stream_.handle());
    answers_ = {};
  }

 private:
  Stream stream_;  // declared first: destroyed after its users
  Buffer<Pair> pairs_;
  Buffer<std::uint32_t> lengths_;
  PinnedBuffer host_pairs_, host_lengths_;
  std::span<std::uint32_t> answers_;
};

/// Collects the whole array, even if it arrives in parts.
Buffer<std::uint32_t> whole_array(const DeviceText& text, std::uint64_t segments, const Stream& stream) {
  Buffer<std::uint32_t> whole;
  const SortRequest request = {.reserved_bytes = text.size() * sizeof(std::uint32_t), .keeps_rows = true};
  sort_rows<std::uint32_t>(text, segments, request, TeamMember(stream), {},
                           [&](std::uint64_t first_row, Buffer<std::uint32_t>& rows) {
                             if (rows.size() == text.size()) {
                               whole = std::move(rows);
                               return;
                             }
                             if (first_row == 0) whole = Buffer<std::uint32_t>(text.size(), stream);
                             copy_values(whole.data() + first_row, rows.data(), rows.size(), stream);
                           });
  return whole;
}

class CudaCommonExtension : public CommonExtension<std::uint32_t> {
 public:
  CudaCommonExtension(const text::GenomeView& genome, const Backend& backend)
      : stream_(backend),
        text_(genome, stream_, backend.threads),
        bounded_(text_, stream_),
        segments_(genome.segments.size, stream_),
        slots_{Slot(backend), Slot(backend), Slot(backend), Slot(backend)} {
    stream_.wait();
    upload(segments_.data(), genome.segments.data, genome.segments.bytes(), stream_.pool(), backend.threads);
    Stopwatch watch;
    const auto lap = [&] {
      stream_.wait();
      const double seconds = watch.seconds();
      watch.restart();
      return seconds;
    };
    Buffer<std::uint32_t> suffixes = whole_array(text_, genome.segment_count(), stream_);
    times_.sort = lap();
    ranks_ = inverse(suffixes, stream_);
    times_.inverse = lap();
    lcp_ = lcp_array(text_, suffixes, stream_);
    times_.lcp = lap();
    minima_ = DeviceRmq(lcp_, stream_);
    times_.rmq = lap();
  }

  void lengths(std::span<const Pair> pairs, std::span<std::uint32_t> lengths) override {
    if (pairs.size() != lengths.size()) throw std::invalid_argument("CommonExtension: one length for every pair");
    set_current_device(stream_.device());
    const View32 view = {bounded_.view(), segments_.view(), ranks_.data(), minima_.view()};
    try {
      std::size_t next = 0;
      for (std::uint64_t begin = 0; begin < pairs.size(); begin += piece_pairs, next = (next + 1) % slot_count) {
        const std::uint64_t count = std::min<std::uint64_t>(piece_pairs, pairs.size() - begin);
        slots_[next].finish();
        slots_[next].start(view, pairs.subspan(begin, count), lengths.subspan(begin, count));
      }
      for (Slot& slot : slots_) slot.finish();
    } catch (...) {
      for (Slot& slot : slots_) slot.abandon();
      throw;
    }
  }

 private:
  Stream stream_;  // declared first: destroyed after its users
  DeviceText text_;
  BoundedText bounded_;
  Buffer<text::Segment> segments_;
  Buffer<std::uint32_t> ranks_, lcp_;
  DeviceRmq minima_;
  std::array<Slot, slot_count> slots_;
};

}  // namespace

std::unique_ptr<CommonExtension<std::uint32_t>> make_common_extension(const text::GenomeView& genome,
                                                                      const Backend& backend) {
  return std::make_unique<CudaCommonExtension>(genome, backend);
}

}  // namespace warpseed::suffix::cuda
