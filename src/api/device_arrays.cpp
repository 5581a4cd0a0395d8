#include "warpseed/device_arrays.hpp"

#include <fmt/format.h>

#include "api/context_state.hpp"
#include "core/types.hpp"
#include "sort/segmented_sort.hpp"
#include "suffix/lcp.hpp"
#include "suffix/suffix_array.hpp"
#include "warpseed/error.hpp"

namespace warpseed {

namespace {

const Backend& device_backend(const Context& context) {
  const Backend& backend = context.state().backend;
  if (backend.kind == BackendKind::cuda) return backend;
  throw InputError("arrays on a device need a context with a GPU; give it the backend cuda");
}

template <class T>
void require_here(DeviceSpan<T> array, const Backend& backend) {
  if (array.size == 0) return;
  const int device = device_of(array.data);
  if (device == backend.device) return;
  throw InputError(fmt::format("an array is {}, the context works on cuda:{}; copy it there, or choose its device",
                               device < 0 ? "in the host's memory" : fmt::format("on cuda:{}", device),
                               backend.device));
}

/// The backend of a context, if all arrays are on its device.
template <class... Ts>
const Backend& backend_of(const Context& context, DeviceSpan<Ts>... arrays) {
  const Backend& backend = device_backend(context);
  (require_here(arrays, backend), ...);
  return backend;
}

void require_narrow(DeviceSpan<const std::uint8_t> text) {
  if (!fits_narrow(text.size))
    throw InputError(
        fmt::format("a text of {} bytes has positions beyond 32 bits, which are for arrays on the host", text.size));
}

}  // namespace

template <class T>
DeviceArray<T> to_device(std::span<const T> host, const Context& context) {
  const Backend& backend = device_backend(context);
  return api::run(context, [&] { return cuda::copy_to_device(host, backend); });
}

template <class T>
std::vector<T> to_host(DeviceSpan<const T> array, const Context& context) {
  const Backend& backend = backend_of(context, array);
  return api::run(context, [&] { return cuda::copy_to_host(array, backend); });
}

void segmented_sort(DeviceSpan<std::uint32_t> keys, DeviceSpan<const std::uint64_t> offsets, const Context& context) {
  const Backend& backend = backend_of(context, keys, offsets);
  api::run(context, [&] { sort::segmented_sort(keys, offsets, backend); });
}

template <class Value>
void segmented_sort(DeviceSpan<std::uint32_t> keys, DeviceSpan<Value> values, DeviceSpan<const std::uint64_t> offsets,
                    const Context& context) {
  const Backend& backend = backend_of(context, keys, values, offsets);
  api::run(context, [&] { sort::segmented_sort(keys, values, offsets, backend); });
}

DeviceArray<std::uint32_t> suffix_array(DeviceSpan<const std::uint8_t> text, const Context& context) {
  require_narrow(text);
  const Backend& backend = backend_of(context, text);
  return api::run(context, [&] { return suffix::suffix_array(text, backend); });
}

DeviceArray<std::uint32_t> lcp_array(DeviceSpan<const std::uint8_t> text, DeviceSpan<const std::uint32_t> suffixes,
                                     const Context& context) {
  require_narrow(text);
  const Backend& backend = backend_of(context, text, suffixes);
  if (suffixes.size != text.size)
    throw InputError(fmt::format("the suffix array has {} positions, its text {} bytes", suffixes.size, text.size));
  return api::run(context, [&] { return suffix::lcp_array(text, suffixes, backend); });
}

int device_of(const void* address) {
  return cuda::device_of(address);
}

void wait_for_device(int device) {
  cuda::wait_for_device(device);
}

template DeviceArray<std::uint8_t> to_device(std::span<const std::uint8_t>, const Context&);
template DeviceArray<std::uint32_t> to_device(std::span<const std::uint32_t>, const Context&);
template DeviceArray<std::uint64_t> to_device(std::span<const std::uint64_t>, const Context&);
template std::vector<std::uint8_t> to_host(DeviceSpan<const std::uint8_t>, const Context&);
template std::vector<std::uint32_t> to_host(DeviceSpan<const std::uint32_t>, const Context&);
template std::vector<std::uint64_t> to_host(DeviceSpan<const std::uint64_t>, const Context&);
template void segmented_sort(DeviceSpan<std::uint32_t>, DeviceSpan<std::uint32_t>, DeviceSpan<const std::uint64_t>,
                             const Context&);
template void segmented_sort(DeviceSpan<std::uint32_t>, DeviceSpan<std::uint64_t>, DeviceSpan<const std::uint64_t>,
                             const Context&);

}  // namespace warpseed
