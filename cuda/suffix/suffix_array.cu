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

/// Copies rows into an array on the host, which lacks the first `skipped` rows.
template <class Host>
struct HostRows {
  std::vector<Host>& rows;
  std::uint64_t skipped;
  int threads;

  template <class Device>
  void take(std::uint64_t first_row, const Buffer<Device>& suffixes, const Stream& stream) const {
    const std::uint64_t left_out = first_row < skipped ? std::min(skipped - first_row, suffixes.size()) : 0;
    const std::uint64_t count = suffixes.size() - left_out;
    if (count == 0) return;
    Host* to = rows.data() + (first_row + left_out - skipped);
    stream.wait();
    if constexpr (std::is_same_v<Device, Host>) {
      download(to, suffixes.data() + left_out, count * sizeof(Host), stream.pool(), threads);
    } else {
      std::vector<Device> part(count);
      download(part.data(), suffixes.data() + left_out, count * sizeof(Device), stream.pool(), threads);
      std::copy(part.begin(), part.end(), to);
    }
  }
};

/// Sorts with positions as wide as needed, and stores them as wide as requested.
template <class Device, class Host>
void sort_and_fetch(const DeviceText& text, std::uint64_t segments, const SortOptions& options,
                    const TeamMember& member, const HostRows<Host>& host) {
  sort_rows<Device>(text, segments, {options, 0}, member, {}, [&](std::uint64_t first_row, Buffer<Device>& suffixes) {
    host.take(first_row, suffixes, member.stream());
  });
}

template <class Host>
void sort_text(const DeviceText& text, std::uint64_t segments, const SortOptions& options, const TeamMember& member,
               const HostRows<Host>& host) {
  if constexpr (sizeof(Host) == 8) {
    if (text.size() > options.max_narrow_symbols)
      return sort_and_fetch<std::uint64_t>(text, segments, options, member, host);
  }
  sort_and_fetch<std::uint32_t>(text, segments, options, member, host);
}

}  // namespace

template <class Pos>
std::vector<Pos> suffix_array(const text::GenomeView& genome, const Backend& backend, const SortOptions& options) {
  const DeviceTeam team = sorting_team(backend, options);
  const int threads = team.threads_each();
  std::vector<Pos> rows(genome.text.size);
  team.run([&](const TeamMember& member) {
    const DeviceText text(genome, member.stream(), threads);
    sort_text<Pos>(text, genome.segment_count(), options, member, {rows, 0, threads});
  });
  return rows;
}

template <class Pos>
std::vector<Pos> suffix_array(std::span<const std::uint8_t> bytes, const Backend& backend, const SortOptions& options) {
  const DeviceTeam team = sorting_team(backend, options);
  const int threads = team.threads_each();
  std::vector<Pos> rows(bytes.size());
  team.run([&](const TeamMember& member) {
    const DeviceText text(bytes, member.stream(), threads);
    sort_text<Pos>(text, 1, options, member, {rows, 1, threads});  // the first row is the end
  });
  return rows;
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
