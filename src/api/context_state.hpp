// What a Context holds, and how the library's functions work in it.
#pragma once

#include <tbb/task_arena.h>

#include <utility>

#include "core/backend.hpp"
#include "core/entry.hpp"
#include "warpseed/context.hpp"
#include "warpseed/error.hpp"

namespace warpseed {

struct Context::State {
  Backend backend;
  ProgressCallback progress;
};

namespace api {

/// Leaves the calling thread's current CUDA device as it was.
class DeviceGuard {
 public:
  explicit DeviceGuard(const Backend& backend) : on_device_(backend.kind == BackendKind::cuda) {
    if (on_device_) device_ = cuda::current_device();
  }
  DeviceGuard(const DeviceGuard&) = delete;
  DeviceGuard& operator=(const DeviceGuard&) = delete;
  ~DeviceGuard() {
    try {
      if (on_device_ && cuda::current_device() != device_) cuda::set_current_device(device_);
    } catch (const BackendError&) {  // the device failed, and the call that noticed throws already
    }
  }

 private:
  bool on_device_;
  int device_ = 0;
};

/// Calls work() on the context's threads and returns its result.
template <class Work>
auto run(const Context& context, const Work& work) {
  const DeviceGuard guard(context.state().backend);
  return tbb::task_arena(context.threads()).execute(work);
}

}  // namespace api

}  // namespace warpseed
