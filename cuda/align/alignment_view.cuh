// The input of the kernels that align a part of a batch.
#pragma once

#include <cstdint>

#include "align/align_options.hpp"
#include "align/pipeline/device_reads.cuh"
#include "core/view.hpp"
#include "text/genome_core.hpp"

namespace warpseed::align::cuda {

/// The input of every kernel from seed hits to ranked alignments. The reads are a part of the batch that begins at
/// first_read. Hits and chains of read i of the part begin at hit_begins[first_read + i] - hit_begins[first_read].
struct AlignmentView {
  text::GenomeView genome;
  DeviceReadsView reads;
  AlignOptions options;
  View<std::uint64_t> hit_begins;  // [reads of the batch + 1]
  std::uint64_t first_read = 0;
  std::uint64_t first_number = 0;  // of the batch's reads
  std::uint64_t read_count = 0;    // of the part

  __device__ std::uint64_t hit_begin(std::uint64_t i) const {
    return hit_begins[first_read + i] - hit_begins[first_read];
  }
  __device__ std::uint32_t hit_count(std::uint64_t i) const {
    return static_cast<std::uint32_t>(hit_begins[first_read + i + 1] - hit_begins[first_read + i]);
  }
  __device__ std::uint32_t length(std::uint64_t i) const { return reads.lengths[first_read + i]; }
  __device__ std::uint64_t number(std::uint64_t i) const { return first_number + first_read + i; }
};

}  // namespace warpseed::align::cuda
