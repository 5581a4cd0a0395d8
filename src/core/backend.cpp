#include "core/backend.hpp"

#include <fmt/format.h>

#include <charconv>
#include <thread>

#include "core/error.hpp"
#include "core/memory.hpp"
#include "entry.hpp"

namespace warpseed {

namespace {

constexpr double gib = 1024.0 * 1024.0 * 1024.0;

Backend cuda_backend(std::string_view wanted, int threads) {
  int device = 0;
  if (wanted != "cuda") {
    const char* end = wanted.data() + wanted.size();
    const auto parsed = std::from_chars(wanted.data() + 5, end, device);
    if (parsed.ec != std::errc{} || parsed.ptr != end || device < 0) {
      throw InputError(fmt::format("unknown backend \"{}\" (choose auto, cpu, cuda or cuda:N)", wanted));
    }
  }
  const int devices = cuda::device_count();
  if (devices == 0) {
    throw BackendError(fmt::format("backend \"{}\" is not usable here: {}; use --backend cpu, or auto to fall back",
                                   wanted, cuda::why_unavailable()));
  }
  if (device >= devices) {
    throw BackendError(
        fmt::format("backend \"{}\" is not usable here: the last device is cuda:{}", wanted, devices - 1));
  }
  return {BackendKind::cuda, device, threads};
}

}  // namespace

std::string to_string(const Backend& backend) {
  return backend.kind == BackendKind::cpu ? "cpu" : fmt::format("cuda:{}", backend.device);
}

std::vector<Backend> available_backends(int threads) {
  std::vector<Backend> backends = {{BackendKind::cpu, 0, threads}};
  const int devices = cuda::device_count();
  for (int device = 0; device < devices; ++device) backends.push_back({BackendKind::cuda, device, threads});
  return backends;
}

Backend choose_backend(std::string_view wanted, int threads) {
  const Backend cpu = {BackendKind::cpu, 0, threads};
  if (wanted == "cpu") return cpu;
  if (wanted == "auto") return cuda::device_count() > 0 ? Backend{BackendKind::cuda, 0, threads} : cpu;
  if (wanted == "cuda" || wanted.starts_with("cuda:")) return cuda_backend(wanted, threads);
  throw InputError(fmt::format("unknown backend \"{}\" (choose auto, cpu, cuda or cuda:N)", wanted));
}

std::string describe(const Backend& backend) {
  if (backend.kind == BackendKind::cuda) return cuda::describe_device(backend.device);
  return fmt::format("cpu     {} hardware threads, {:.1f} GiB of memory ({:.1f} GiB free)",
                     std::thread::hardware_concurrency(), static_cast<double>(total_memory_bytes()) / gib,
                     static_cast<double>(available_memory_bytes()) / gib);
}

std::uint64_t peak_device_bytes(const Backend& backend) {
  return backend.kind == BackendKind::cuda ? cuda::peak_device_bytes(backend.device) : 0;
}

std::string why_no_cuda() {
  return cuda::device_count() > 0 ? std::string() : cuda::why_unavailable();
}

}  // namespace warpseed
