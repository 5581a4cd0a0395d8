// A CUDA event in a stream, for timing.
#pragma once

#include "core/buffer.cuh"

namespace warpseed::cuda {

/// Marks the end of the stream's queue at the time of construction.
class Event {
 public:
  explicit Event(const Stream& stream) {
    check(cudaEventCreate(&handle_), "creating an event");
    check(cudaEventRecord(handle_, stream.handle()), "recording an event");
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { cudaEventDestroy(handle_); }

  /// Waits for this event, then returns the device time between the two.
  double seconds_since(const Event& earlier) const {
    check(cudaEventSynchronize(handle_), "waiting for an event");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, earlier.handle_, handle_), "reading the time between events");
    return 1e-3 * static_cast<double>(milliseconds);
  }

 private:
  cudaEvent_t handle_ = nullptr;
};

}  // namespace warpseed::cuda
