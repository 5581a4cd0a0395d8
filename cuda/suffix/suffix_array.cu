// The entry behind suffix/suffix_array.hpp.
#include <stdexcept>

#include "core/error.hpp"
#include "core/transfer.cuh"
#include "core/types.hpp"
#include "entry.hpp"
#include "suffix/prefix_doubling.cuh"

namespace warpseed::cuda {

namespace {

std::vector<std::uint32_t> narrow_suffix_array(const GenomeView& genome, const Backend& backend) {
  if (!fits_narrow(genome.text.size)) {
    throw BackendError("texts of more than " + std::to_string(narrow_limit) +
                       " symbols are not sorted on a device yet; use --backend cpu");
  }
  const Stream stream(backend.device);
  const DeviceText text(genome, stream, backend.threads);
  require_device_memory(sorting_bytes(text.size(), genome.segment_count()), "sorting suffixes");
  const Buffer<std::uint32_t> suffixes = sort_suffixes(text, false, stream).suffixes;
  std::vector<std::uint32_t> host(suffixes.size());
  stream.wait();
  download(host.data(), suffixes.data(), host.size() * sizeof(std::uint32_t), backend.device, backend.threads);
  return host;
}

}  // namespace

template <>
std::vector<std::uint32_t> suffix_array(const GenomeView& genome, const Backend& backend) {
  return narrow_suffix_array(genome, backend);
}

template <>
std::vector<std::uint64_t> suffix_array(const GenomeView& genome, const Backend& backend) {
  const std::vector<std::uint32_t> narrow = narrow_suffix_array(genome, backend);
  return {narrow.begin(), narrow.end()};
}

}  // namespace warpseed::cuda
