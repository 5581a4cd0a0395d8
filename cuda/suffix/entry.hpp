// The part of the CUDA path that src/suffix may call: suffix arrays, LCP arrays, range minima and common extensions.
// Builds with CUDA define it in cuda/suffix/*.cu, builds without in cuda/suffix/no_cuda.cpp. No caller needs an #ifdef.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/backend.hpp"
#include "suffix/common_extension.hpp"
#include "suffix/compact_lcp.hpp"
#include "suffix/rmq_core.hpp"
#include "suffix/suffix_array.hpp"
#include "text/genome_core.hpp"
#include "warpseed/device_arrays.hpp"

namespace warpseed::suffix::cuda {

/// Implements suffix/suffix_array.hpp.
template <class Pos>
std::vector<Pos> suffix_array(const text::GenomeView& genome, const Backend& backend, const SortOptions& options);
template <class Pos>
std::vector<Pos> suffix_array(std::span<const std::uint8_t> bytes, const Backend& backend, const SortOptions& options);

DeviceArray<std::uint32_t> suffix_array(DeviceSpan<const std::uint8_t> bytes, const Backend& backend);

/// result[values[i]] = i if `values` is a permutation; else unspecified values of the same size.
std::vector<std::uint32_t> inverse_permutation(const std::vector<std::uint32_t>& values, const Backend& backend);

/// Implements suffix/lcp.hpp.
std::vector<std::uint32_t> lcp_array(const text::GenomeView& genome, const std::vector<std::uint32_t>& suffixes,
                                     const Backend& backend);
std::vector<std::uint32_t> lcp_array(std::span<const std::uint8_t> bytes, const std::vector<std::uint32_t>& suffixes,
                                     const Backend& backend);

DeviceArray<std::uint32_t> lcp_array(DeviceSpan<const std::uint8_t> bytes, DeviceSpan<const std::uint32_t> suffixes,
                                     const Backend& backend);

/// Implements suffix/compact_lcp.hpp; the sizes must be right and not 0.
CompactLcp<std::uint32_t> compact_lcp_array(const text::GenomeView& genome, const std::vector<std::uint32_t>& suffixes,
                                            const Backend& backend);

/// Implements suffix/rmq.hpp; no range may be empty or end past the array.
void range_minima(std::span<const std::uint32_t> values, std::span<const IndexRange<std::uint32_t>> ranges,
                  std::span<std::uint32_t> results, const Backend& backend);
void leftmost_minima(std::span<const std::uint32_t> values, std::span<const IndexRange<std::uint32_t>> ranges,
                     std::span<std::uint32_t> results, const Backend& backend);

/// Implements suffix/common_extension.hpp.
std::unique_ptr<CommonExtension<std::uint32_t>> make_common_extension(const text::GenomeView& genome,
                                                                      const Backend& backend);

}  // namespace warpseed::suffix::cuda
