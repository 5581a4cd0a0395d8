// A non-owning pointer and length that are passed to kernels by value.
#pragma once

#include <cstdint>
#include <span>

#include "core/host_device.hpp"

namespace warpseed {

template <class T>
struct View {
  const T* data = nullptr;
  std::uint64_t size = 0;

  View() = default;
  WS_HD View(const T* first, std::uint64_t count) : data(first), size(count) {}
  View(std::span<const T> host) : data(host.data()), size(host.size()) {}

  WS_HD const T& operator[](std::uint64_t i) const { return data[i]; }
  WS_HD View part(std::uint64_t begin, std::uint64_t end) const { return {data + begin, end - begin}; }
  WS_HD const T* begin() const { return data; }
  WS_HD const T* end() const { return data + size; }
  std::uint64_t bytes() const { return size * sizeof(T); }
};

}  // namespace warpseed
