// Error checks for all CUDA calls and launches.
#pragma once

#include <cuda_runtime.h>

#include <source_location>
#include <string>
#include <string_view>

#include "core/module_namespaces.hpp"
#include "warpseed/error.hpp"

namespace warpseed::cuda {

/// A device does not have the requested memory.
struct OutOfDeviceMemory : BackendError {
  using BackendError::BackendError;
};

/// Throws BackendError unless `status` is success. `doing` finishes the sentence "while ...".
/// A function, not a macro, because std::source_location gives the caller.
inline void check(cudaError_t status, std::string_view doing,
                  std::source_location where = std::source_location::current()) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // clear it, or the next unrelated check would report this error again
  throw BackendError("CUDA: " + std::string(cudaGetErrorString(status)) + " (" + cudaGetErrorName(status) + ") while " +
                     std::string(doing) + " [" + where.file_name() + ":" + std::to_string(where.line()) + "]");
}

/// Call directly after a launch: detects a bad grid or a missing kernel image, but not faults while the kernel runs.
/// The next Stream::wait() reports those; build with -DWS_CUDA_SYNC=ON to wait after every launch.
inline void check_launch(std::string_view kernel, cudaStream_t stream,
                         std::source_location where = std::source_location::current()) {
  check(cudaPeekAtLastError(), "launching " + std::string(kernel), where);
  constexpr bool wait_after_launch = WS_CUDA_SYNC;
  if (wait_after_launch) check(cudaStreamSynchronize(stream), "running " + std::string(kernel), where);
}

}  // namespace warpseed::cuda
