// The device memory of backends: each has its own, which its copies share.
#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

#include "catch.hpp"
#include "core/backend.hpp"
#include "core/entry.hpp"
#include "devices.hpp"
#include "message_of.hpp"
#include "sort/segmented_sort.hpp"
#include "warpseed/error.hpp"

namespace warpseed {

using test::message_of;

namespace {

/// Sorts on a backend, which takes more than 8 bytes of its memory per key.
void sort_keys(const Backend& backend, std::uint32_t count) {
  std::vector<std::uint32_t> keys(count);
  std::iota(keys.rbegin(), keys.rend(), 0U);
  const std::vector<std::uint64_t> offsets = {0, count};
  sort::segmented_sort(std::span(keys), std::span<const std::uint64_t>(offsets), backend);
  REQUIRE(keys.front() == 0);
  REQUIRE(keys.back() == count - 1);
}

}  // namespace

TEST_CASE("the CPU has no device memory", "[core]") {
  const Backend cpu = choose_backend("cpu", 2);
  CHECK(!cpu.pools);
  CHECK(peak_device_bytes(cpu) == 0);
  CHECK(!limit_device_memory(cpu, 1000).pools);
}

TEST_CASE("backends are equal whatever their memory", "[core][gpu]") {
  for (const Backend& device : test::devices()) {
    CHECK(device.pools);
    const Backend limited = limit_device_memory(device, 1 << 20);
    CHECK(limited.pools != device.pools);
    CHECK(limited == device);
    CHECK(limit_device_memory(device, 0).pools == device.pools);
  }
}

TEST_CASE("a backend's device memory is its own and its copies'", "[core][gpu]") {
  constexpr std::uint32_t keys = 100'000;
  for (const Backend& device : test::devices()) {
    CAPTURE(to_string(device));
    const Backend first = choose_backend(to_string(device), 2), second = choose_backend(to_string(device), 2);
    CHECK(peak_device_bytes(first) == 0);
    const Backend copy = first;
    sort_keys(copy, keys);
    const std::uint64_t peak = peak_device_bytes(first);
    CHECK(peak >= 8 * keys);
    CHECK(peak_device_bytes(copy) == peak);
    CHECK(peak_device_bytes(second) == 0);
    sort_keys(second, 4 * keys);
    CHECK(peak_device_bytes(second) > peak);
    CHECK(peak_device_bytes(first) == peak);
  }
}

TEST_CASE("a limit of device memory holds for its backend alone", "[core][gpu]") {
  constexpr std::uint64_t limit = std::uint64_t{192} << 20;
  constexpr std::uint32_t fitting = 100'000, too_many = 25'000'000;
  for (const Backend& device : test::devices()) {
    CAPTURE(to_string(device));
    const Backend limited = limit_device_memory(device, limit);
    sort_keys(limited, fitting);
    const std::string message = message_of<BackendError>([&] { sort_keys(limited, too_many); });
    CHECK(message.find("sorting segments needs about 0.21 GiB of device memory, 0.19 GiB are free") == 0);
    CHECK(peak_device_bytes(limited) <= limit);
    CHECK(peak_device_bytes(device) == 0);
    sort_keys(device, too_many);
    CHECK(peak_device_bytes(device) > limit);
  }
}

TEST_CASE("a CUDA backend made by hand has no memory to work with", "[core][gpu]") {
  for (const Backend& device : test::devices()) {
    const Backend by_hand = {BackendKind::cuda, device.device, 2};
    CHECK(peak_device_bytes(by_hand) == 0);
    const std::string message = message_of<std::invalid_argument>([&] { sort_keys(by_hand, 1000); });
    CHECK(message.find("choose_backend()") != std::string::npos);
  }
}

TEST_CASE("a description does not change the current device", "[core][gpu]") {
  const std::vector<Backend> devices = test::devices();
  if (devices.empty()) return;
  const int before = cuda::current_device();
  for (const Backend& device : devices) {
    for (const Backend& current : devices) {
      cuda::set_current_device(current.device);
      CHECK(describe(device).find(to_string(device)) == 0);
      CHECK(cuda::current_device() == current.device);
    }
  }
  cuda::set_current_device(before);
}

}  // namespace warpseed
