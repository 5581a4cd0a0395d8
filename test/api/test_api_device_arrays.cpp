// Arrays that stay on a device, against the same functions for arrays on the host.
#include "warpseed/device_arrays.hpp"

#include <random>
#include <string>

#include "api_backends.hpp"
#include "catch.hpp"
#include "message_of.hpp"
#include "warpseed/error.hpp"
#include "warpseed/sort.hpp"
#include "warpseed/suffix_array.hpp"

namespace warpseed {

namespace {

using test::message_of;

template <class T>
DeviceArray<T> upload(const std::vector<T>& host, const Context& context) {
  return to_device(std::span<const T>(host), context);
}

DeviceArray<std::uint8_t> upload(const std::string& text, const Context& context) {
  return upload(std::vector<std::uint8_t>(text.begin(), text.end()), context);
}

std::vector<std::string> texts() {
  std::mt19937 rng(5);
  std::vector<std::string> all = {"", "a", "mississippi", std::string(3000, 'z'), std::string("\0\xFF\0", 3)};
  for (const unsigned letters : {2U, 4U, 256U}) {
    std::string text;
    for (int i = 0; i < 100'000; ++i) text += static_cast<char>(rng() % letters);
    all.push_back(text);
  }
  return all;
}

/// Keys with many equal ones, segments of very different lengths, keys before the first and after the last.
struct Segments {
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> offsets = {7};

  Segments() {
    std::mt19937 rng(6);
    for (const std::uint64_t length : {0U, 1U, 2U, 31U, 33U, 500U, 0U, 3000U, 100'000U, 9U})
      offsets.push_back(offsets.back() + length);
    keys.resize(offsets.back() + 5);
    for (std::uint32_t& key : keys) key = static_cast<std::uint32_t>(rng() % 3 == 0 ? rng() % 10 : rng());
  }
};

/// Both sort the same values with the same keys; those of the host are the expected ones.
template <class Value>
void check_sort_with_values(const Context& gpu, const Context& cpu) {
  Segments segments;
  std::vector<Value> values(segments.keys.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<Value>(i * i);
  const auto keys = upload(segments.keys, gpu);
  const auto moved = upload(values, gpu);
  const auto offsets = upload(segments.offsets, gpu);
  segmented_sort(keys.span(), moved.span(), offsets.view(), gpu);
  segmented_sort(std::span(segments.keys), std::span(values), segments.offsets, cpu);
  CHECK(to_host(keys.view(), gpu) == segments.keys);
  CHECK(to_host(moved.view(), gpu) == values);
}

/// A context for each device of this machine.
std::vector<std::string> devices() {
  std::vector<std::string> names = test::backend_names();
  names.erase(names.begin());  // the CPU
  return names;
}

}  // namespace

TEST_CASE("arrays on a device are those that were copied there", "[api][gpu]") {
  for (const std::string& name : devices()) {
    const Context gpu({name, 2});
    const std::vector<std::uint64_t> host = {1, 2, 1ULL << 63};
    const DeviceArray<std::uint64_t> array = upload(host, gpu);
    CHECK("cuda:" + std::to_string(array.device) == name);
    CHECK(device_of(array.data.get()) == array.device);
    CHECK(device_of(host.data()) == -1);
    CHECK(to_host(array.view(), gpu) == host);
    CHECK(to_host(upload(std::vector<std::uint32_t>(), gpu).view(), gpu).empty());
  }
}

TEST_CASE("suffix and LCP arrays stay on the device", "[api][gpu]") {
  for (const std::string& name : devices()) {
    const Context gpu({name, 2}), cpu({"cpu", 2});
    for (const std::string& text : texts()) {
      CAPTURE(name, text.size());
      const std::vector<std::uint32_t> expected = suffix_array(text, cpu);
      const DeviceArray<std::uint8_t> bytes = upload(text, gpu);
      const DeviceArray<std::uint32_t> suffixes = suffix_array(bytes.view(), gpu);
      CHECK(to_host(suffixes.view(), gpu) == expected);
      const DeviceArray<std::uint32_t> lcp = lcp_array(bytes.view(), suffixes.view(), gpu);
      CHECK(to_host(lcp.view(), gpu) == lcp_array(text, expected, cpu));
    }
  }
}

TEST_CASE("segments on a device are sorted in place", "[api][gpu]") {
  for (const std::string& name : devices()) {
    CAPTURE(name);
    const Context gpu({name, 2}), cpu({"cpu", 2});
    check_sort_with_values<std::uint32_t>(gpu, cpu);
    check_sort_with_values<std::uint64_t>(gpu, cpu);
    Segments segments;
    const auto keys = upload(segments.keys, gpu);
    const auto offsets = upload(segments.offsets, gpu);
    segmented_sort(keys.span(), offsets.view(), gpu);
    segmented_sort(std::span(segments.keys), segments.offsets, cpu);
    CHECK(to_host(keys.view(), gpu) == segments.keys);
  }
}

TEST_CASE("wrong arrays on a device are errors", "[api][gpu]") {
  for (const std::string& name : devices()) {
    const Context gpu({name, 2});
    const auto keys = upload(std::vector<std::uint32_t>(10), gpu);
    const auto sort_by = [&](const std::vector<std::uint64_t>& offsets) {
      return message_of<std::invalid_argument>([&] { segmented_sort(keys.span(), upload(offsets, gpu).view(), gpu); });
    };
    CHECK(sort_by({0, 5, 4}).find("must not descend") != std::string::npos);
    CHECK(sort_by({0, 11}).find("past the last key") != std::string::npos);
    CHECK(sort_by({0, 1ULL << 33}).find("2^32 - 1 keys") != std::string::npos);
    const auto text = upload(std::string("abc"), gpu);
    const auto outside = upload(std::vector<std::uint32_t>{0, 3, 1}, gpu);
    CHECK_THROWS_AS(lcp_array(text.view(), outside.view(), gpu), InputError);
    CHECK_THROWS_AS(lcp_array(text.view(), keys.view(), gpu), InputError);
    const std::vector<std::uint8_t> host = {1, 2, 3};
    CHECK(message_of<InputError>([&] {
            suffix_array({host.data(), host.size()}, gpu);
          }).find("host's memory") != std::string::npos);
  }
}

TEST_CASE("arrays on a device need a context with a GPU", "[api]") {
  const std::vector<std::uint32_t> host = {1};
  CHECK(message_of<InputError>([&] { to_device(std::span(host), Context({"cpu"})); }).find("backend cuda") !=
        std::string::npos);
  CHECK_THROWS_AS(suffix_array(DeviceSpan<const std::uint8_t>(), Context({"cpu"})), InputError);
}

}  // namespace warpseed
