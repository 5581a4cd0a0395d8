// Suffix and LCP arrays of a text on the device, which stay there.
#include <memory>

#include "core/device_array.cuh"
#include "core/launch.cuh"
#include "suffix/entry.hpp"
#include "suffix/lcp.cuh"
#include "suffix/sort_rows.cuh"
#include "warpseed/error.hpp"

namespace warpseed::suffix::cuda {

namespace {

using Owned = OwnedArray<std::uint32_t>;

__global__ void find_outside_kernel(View<std::uint32_t> positions, std::uint64_t text_size, std::uint32_t* found) {
  const std::uint64_t i = thread_index();
  if (i < positions.size && positions[i] >= text_size) *found = 1;
}

void require_inside(View<std::uint32_t> positions, std::uint64_t text_size, const Stream& stream) {
  Buffer<std::uint32_t> found(1, stream);
  found.fill_zero();
  launch("find_outside_kernel", find_outside_kernel, positions.size, stream, positions, text_size, found.data());
  if (found.value_at(0) != 0) throw InputError("the suffix array has positions outside its text");
}

}  // namespace

DeviceArray<std::uint32_t> suffix_array(DeviceSpan<const std::uint8_t> bytes, const Backend& backend) {
  auto owned = std::make_shared<Owned>(backend);
  const Stream& stream = owned->stream;
  const DeviceText text(View<std::uint8_t>(bytes.data, bytes.size), stream);
  const std::uint64_t all = text.size();
  const auto keep = [&](std::uint64_t first_row, Buffer<std::uint32_t>& suffixes) {
    if (suffixes.size() == all) {
      owned->buffer = std::move(suffixes);
      return;
    }
    if (owned->buffer.size() == 0) owned->buffer = Buffer<std::uint32_t>(all, stream);
    copy_values(owned->buffer.data() + first_row, suffixes.data(), suffixes.size(), stream);
  };
  const SortRequest request = {.reserved_bytes = all * sizeof(std::uint32_t), .keeps_rows = true};
  sort_rows<std::uint32_t>(text, 1, request, TeamMember(stream), {}, keep);
  stream.wait();
  return Owned::give(std::move(owned), 1);  // the first row is the end
}

DeviceArray<std::uint32_t> lcp_array(DeviceSpan<const std::uint8_t> bytes, DeviceSpan<const std::uint32_t> suffixes,
                                     const Backend& backend) {
  auto owned = std::make_shared<Owned>(backend);
  const Stream& stream = owned->stream;
  require_inside({suffixes.data, suffixes.size}, bytes.size, stream);
  const DeviceText text(View<std::uint8_t>(bytes.data, bytes.size), stream);
  stream.pool().require(12 * text.size(), "making an LCP array");
  Buffer<std::uint32_t> rows(text.size(), stream);
  const std::uint32_t end[] = {static_cast<std::uint32_t>(bytes.size)};
  rows.upload(end);
  copy_values(rows.data() + 1, suffixes.data, suffixes.size, stream);
  owned->buffer = lcp_array(text, rows, stream);
  stream.wait();
  return Owned::give(std::move(owned), 1);
}

}  // namespace warpseed::suffix::cuda
