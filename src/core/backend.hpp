// Where to compute: a value that is chosen once and passed down.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace warpseed::cuda {
class DevicePools;  // cuda/core/memory_pool.cuh
}

namespace warpseed {

enum class BackendKind { cpu, cuda };

/// Where to compute. A plain value, chosen once in main() and passed down; never a global.
/// A CUDA backend comes from choose_backend() or available_backends(), which give it memory; one that is made by hand
/// names devices, but work on it throws std::invalid_argument. The memory is a pool of our own on each device, created
/// at its first use and freed with the last copy of the backend; no state of the devices or of CUDA in this process
/// changes, except which device is current in the calling thread.
struct Backend {
  BackendKind kind = BackendKind::cpu;
  int device = 0;                      // CUDA device ordinal; ignored by the CPU
  int threads = 1;                     // CPU worker threads; the CUDA path uses them for its work on the host
  std::vector<int> more_devices = {};  // for work that is distributed over several devices
  std::shared_ptr<cuda::DevicePools> pools = {};  // the devices' memory, shared by copies; null on the CPU

  /// `device` and more_devices.
  std::vector<int> all_devices() const;

  /// The same devices and threads, whatever the memory.
  friend bool operator==(const Backend& a, const Backend& b) {
    return a.kind == b.kind && a.device == b.device && a.threads == b.threads && a.more_devices == b.more_devices;
  }
};

/// "cpu", "cuda:0" or "cuda:0,1": as users type it and as logs and test names show it.
std::string to_string(const Backend& backend);

/// Every backend that works on this machine, the CPU first. Never empty.
std::vector<Backend> available_backends(int threads = 1);

/// How many devices a backend of this name has, as far as that is known at once: no device is queried. 0: the CPU.
/// Throws InputError for a name that is no backend's.
unsigned devices_named(std::string_view wanted);

/// Turns "auto", "cpu", "cuda", "cuda:N" or "cuda:N,M..." into a backend; "auto" takes the first device, or else the CPU.
/// Throws InputError for any other name, BackendError (with the reason) if that backend is not usable.
Backend choose_backend(std::string_view wanted, int threads);

/// One line for the user: "cuda:0  NVIDIA H200, compute capability 9.0, 139.8 GiB (139.1 GiB free)".
std::string describe(const Backend& backend);

/// The same backend with memory of its own, at most `bytes` on each device; `backend` itself on the CPU, or if `bytes`
/// is 0.
Backend limit_device_memory(const Backend& backend, std::uint64_t bytes);

/// Peak memory on backend.device of all work so far with this backend and its copies; 0 on the CPU, or if it does not say.
std::uint64_t peak_device_bytes(const Backend& backend);

/// Why no CUDA device can be used, as a message for the user; empty if one can.
std::string why_no_cuda();

}  // namespace warpseed
