// The scan of a text on a device.
#pragma once

#include <cstdint>
#include <vector>

#include "approximate/device_ends.cuh"
#include "approximate/scan_table.hpp"
#include "core/stream.cuh"
#include "text/genome_core.hpp"

namespace warpseed::approximate::cuda {

/// All occurrences of the table's patterns as packed ends, sorted. genome: in device memory; patterns: of the batch.
/// Throws BackendError if device memory does not suffice.
PackedEnds scan_text(const text::GenomeView& genome, const ScanTable& table, const PackedEnd& packing,
                     std::uint64_t patterns, const Stream& stream, int threads);

}  // namespace warpseed::approximate::cuda
