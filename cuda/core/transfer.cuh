// Large copies between pageable host memory and the device at the speed of the bus.
#pragma once

#include <cstdint>

namespace warpseed::cuda {

/// Copies `bytes` from the device to `host`, or from `host` to the device. Several host threads, each with a
/// page-locked buffer of its own, keep the bus busy while others move their piece: about 5 times the speed of a
/// copy straight out of pageable memory. Waits until done; work that makes `device_data` must be finished.
/// threads: at most this many. Throws BackendError.
void download(void* host, const void* device_data, std::uint64_t bytes, int device, int threads);
void upload(void* device_data, const void* host, std::uint64_t bytes, int device, int threads);

}  // namespace warpseed::cuda
