// What a batch's lists of alignments were before mate rescue, for when memory runs out.
#pragma once

#include <cstdint>

#include "align/pair/device_pairs.cuh"
#include "core/buffer.cuh"
#include "core/check.cuh"
#include "core/stream.cuh"

namespace warpseed::align::cuda {

/// The lists and counts of alignments before the rescue. The destructor restores them unless done() was called: memory
/// may run out, and then the alignments found so far are freed.
class AlignmentsSnapshot {
 public:
  AlignmentsSnapshot(const PairingView& view, const Stream& stream)
      : view_(view), stream_(stream), lists_(2 * view.pair_count, stream), counts_(2 * view.pair_count, stream) {
    const std::uint64_t first = 2 * view.first_pair;
    copy(lists_.data(), view.lists + first, lists_.size() * sizeof(Alignment*));
    copy(counts_.data(), view.counts + first, counts_.size() * sizeof(std::uint32_t));
  }
  AlignmentsSnapshot(const AlignmentsSnapshot&) = delete;
  AlignmentsSnapshot& operator=(const AlignmentsSnapshot&) = delete;
  ~AlignmentsSnapshot() {
    if (done_) return;
    const std::uint64_t first = 2 * view_.first_pair, reads = lists_.size();
    cudaMemcpyAsync(view_.lists + first, lists_.data(), reads * sizeof(Alignment*), cudaMemcpyDeviceToDevice,
                    stream_.handle());
    cudaMemcpyAsync(view_.counts + first, counts_.data(), reads * sizeof(std::uint32_t), cudaMemcpyDeviceToDevice,
                    stream_.handle());
  }

  void done() { done_ = true; }

 private:
  void copy(void* to, const void* from, std::uint64_t bytes) const {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream_.handle()), "copying on the device");
  }

  const PairingView& view_;
  const Stream& stream_;
  Buffer<Alignment*> lists_;
  Buffer<std::uint32_t> counts_;
  bool done_ = false;
};

}  // namespace warpseed::align::cuda
