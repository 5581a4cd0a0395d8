#include "core/backend.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "core/entry.hpp"
#include "core/memory.hpp"
#include "core/processors.hpp"
#include "warpseed/error.hpp"

namespace warpseed {

namespace {

constexpr double gib = 1024.0 * 1024.0 * 1024.0;

/// Parses the device numbers after "cuda:", which must be distinct, in the order given.
std::vector<int> device_numbers(std::string_view wanted) {
  const auto wrong = [&] {
    return InputError(fmt::format("unknown backend \"{}\" (choose auto, cpu, cuda, cuda:N or cuda:N,M...)", wanted));
  };
  if (wanted != "cuda" && !wanted.starts_with("cuda:")) throw wrong();
  std::vector<int> numbers;
  const char* at = wanted.data() + std::string_view("cuda").size();
  const char* const end = wanted.data() + wanted.size();
  while (at != end) {
    int number = 0;
    const auto parsed = std::from_chars(at + 1, end, number);
    if (parsed.ec != std::errc{} || number < 0 || (parsed.ptr != end && *parsed.ptr != ',')) throw wrong();
    if (std::find(numbers.begin(), numbers.end(), number) != numbers.end()) {
      throw InputError(fmt::format("backend \"{}\" names cuda:{} twice", wanted, number));
    }
    numbers.push_back(number);
    at = parsed.ptr;
  }
  return numbers.empty() ? std::vector<int>{0} : numbers;
}

Backend cuda_backend(int device, int threads, std::vector<int> more_devices = {}) {
  return {BackendKind::cuda, device, threads, std::move(more_devices), cuda::make_device_pools(0)};
}

Backend cuda_backend_named(std::string_view wanted, int threads) {
  const std::vector<int> numbers = device_numbers(wanted);
  const int devices = cuda::device_count();
  if (devices == 0) {
    throw BackendError(fmt::format("backend \"{}\" is not usable here: {}; use --backend cpu, or auto to fall back",
                                   wanted, cuda::why_unavailable()));
  }
  if (*std::max_element(numbers.begin(), numbers.end()) >= devices) {
    throw BackendError(
        fmt::format("backend \"{}\" is not usable here: the last device is cuda:{}", wanted, devices - 1));
  }
  return cuda_backend(numbers[0], threads, {numbers.begin() + 1, numbers.end()});
}

/// By the files of its drivers: on Linux, on Windows' Linux, on a Jetson.
bool may_have_device() {
  constexpr std::array<const char*, 3> files = {"/dev/nvidiactl", "/dev/dxg", "/dev/nvmap"};
  return std::ranges::any_of(files, [](const char* file) { return access(file, F_OK) == 0; });
}

}  // namespace

std::vector<int> Backend::all_devices() const {
  std::vector<int> all = {device};
  all.insert(all.end(), more_devices.begin(), more_devices.end());
  return all;
}

std::string to_string(const Backend& backend) {
  return backend.kind == BackendKind::cpu ? "cpu" : fmt::format("cuda:{}", fmt::join(backend.all_devices(), ","));
}

std::vector<Backend> available_backends(int threads) {
  std::vector<Backend> backends = {{BackendKind::cpu, 0, threads}};
  const int devices = cuda::device_count();
  for (int device = 0; device < devices; ++device) backends.push_back(cuda_backend(device, threads));
  return backends;
}

unsigned devices_named(std::string_view wanted) {
  if (wanted == "cpu") return 0;
  if (wanted == "auto") return may_have_device() ? 1 : 0;
  return static_cast<unsigned>(device_numbers(wanted).size());
}

Backend choose_backend(std::string_view wanted, int threads) {
  Backend cpu = {BackendKind::cpu, 0, threads};
  if (wanted == "cpu") return cpu;
  if (wanted == "auto") return cuda::device_count() > 0 ? cuda_backend(0, threads) : cpu;
  return cuda_backend_named(wanted, threads);
}

std::string describe(const Backend& backend) {
  if (backend.kind == BackendKind::cuda) return cuda::describe_device(backend.device);
  const int threads = usable_processors();
  return fmt::format("cpu     {} {}, {:.1f} GiB of memory ({:.1f} GiB free)", threads,
                     threads == 1 ? "thread" : "threads", static_cast<double>(total_memory_bytes()) / gib,
                     static_cast<double>(available_memory_bytes()) / gib);
}

Backend limit_device_memory(const Backend& backend, std::uint64_t bytes) {
  Backend limited = backend;
  if (backend.pools && bytes > 0) limited.pools = cuda::make_device_pools(bytes);
  return limited;
}

std::uint64_t peak_device_bytes(const Backend& backend) {
  try {
    return backend.pools ? cuda::peak_device_bytes(*backend.pools, backend.device) : 0;
  } catch (const BackendError&) {
    return 0;  // a figure for the user, for which no run fails
  }
}

std::string why_no_cuda() {
  return cuda::device_count() > 0 ? std::string() : cuda::why_unavailable();
}

}  // namespace warpseed
