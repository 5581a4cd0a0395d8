// The CUDA entry of suffix/suffix_array.hpp.
#include <algorithm>
#include <stdexcept>
#include <type_traits>

#include "core/transfer.cuh"
#include "core/types.hpp"
#include "suffix/entry.hpp"
#include "suffix/inverse.cuh"
#include "suffix/sort_rows.cuh"

namespace warpseed::suffix::cuda {

namespace {

/// Sorts with positions as wide as needed, and stores them as wide as requested.
/// skipped: number of first rows to drop.
template <class Device, class Host>
std::vector<Host> sort_and_fetch(const DeviceText& text, std::uint64_t segments, std::uint64_t skipped,
                                 const SortOptions& options, const Stream& stream, int threads) {
  std::vector<Host> host(text.size() - skipped);
  const auto fetch = [&](std::uint64_t first_row, Buffer<Device>& suffixes) {
    const std::uint64_t left_out = first_row < skipped ? std::min(skipped - first_row, suffixes.size()) : 0;
    const std::uint64_t count = suffixes.size() - left_out;
    Host* to = host.data() + (first_row + left_out - skipped);
    stream.wait();
    if constexpr (std::is_same_v<Device, Host>) {
      download(to, suffixes.data() + left_out, count * sizeof(Host), stream.pool(), threads);
    } else {
      std::vector<Device> part(count);
      download(part.data(), suffixes.data() + left_out, count * sizeof(Device), stream.pool(), threads);
      std::copy(part.begin(), part.end(), to);
    }
  };
  sort_rows<Device>(text, segments, {options, 0}, stream, {}, fetch);
  return host;
}

template <class Host>
std::vector<Host> sort_text(const DeviceText& text, std::uint64_t segments, std::uint64_t skipped,
                            const SortOptions& options, const Stream& stream, int threads) {
  if constexpr (sizeof(Host) == 8) {
    if (text.size() > options.max_narrow_symbols)
      return sort_and_fetch<std::uint64_t, Host>(text, segments, skipped, options, stream, threads);
  }
  return sort_and_fetch<std::uint32_t, Host>(text, segments, skipped, options, stream, threads);
}

}  // namespace

template <class Pos>
std::vector<Pos> suffix_array(const text::GenomeView& genome, const Backend& backend, const SortOptions& options) {
  const Stream stream(backend);
  const DeviceText text(genome, stream, backend.threads);
  return sort_text<Pos>(text, genome.segment_count(), 0, options, stream, backend.threads);
}

template <class Pos>
std::vector<Pos> suffix_array(std::span<const std::uint8_t> bytes, const Backend& backend, const SortOptions& options) {
  const Stream stream(backend);
  const DeviceText text(bytes, stream, backend.threads);
  return sort_text<Pos>(text, 1, 1, options, stream, backend.threads);  // the first row is the end
}

std::vector<std::uint32_t> inverse_permutation(const std::vector<std::uint32_t>& values, const Backend& backend) {
  const Stream stream(backend);
  stream.pool().require(20 * values.size(), "inverting a suffix array");
  Buffer<std::uint32_t> on_device(values.size(), stream);
  std::vector<std::uint32_t> host(values.size());
  stream.wait();  // the copies have streams of their own
  upload(on_device.data(), values.data(), values.size() * sizeof(std::uint32_t), stream.pool(), backend.threads);
  const Buffer<std::uint32_t> inverted = inverse(on_device, stream);
  stream.wait();
  download(host.data(), inverted.data(), host.size() * sizeof(std::uint32_t), stream.pool(), backend.threads);
  return host;
}

template std::vector<std::uint32_t> suffix_array(const text::GenomeView&, const Backend&, const SortOptions&);
template std::vector<std::uint64_t> suffix_array(const text::GenomeView&, const Backend&, const SortOptions&);
template std::vector<std::uint32_t> suffix_array(std::span<const std::uint8_t>, const Backend&, const SortOptions&);
template std::vector<std::uint64_t> suffix_array(std::span<const std::uint8_t>, const Backend&, const SortOptions&);

}  // namespace warpseed::suffix::cuda
