// The suffix array by prefix doubling, left on the device.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "core/buffer.cuh"
#include "suffix/device_text.cuh"

namespace warpseed::cuda {

/// Told when a stage of a job has been queued on the stream: for progress and for benchmarks.
using StageDone = std::function<void(std::string_view stage)>;

/// The text positions of the suffixes in the order of suffix/suffix_array.hpp. [text.size()]
///
/// Source:  Manber and Myers, "Suffix arrays: a new method for on-line string searches", SIAM J. Comput. 1993,
///          from 32 bases on, and only the suffixes that are still tied take part in a round (Larsson and
///          Sadakane, 2007).
/// Cost:    one radix sort of 64-bit keys, then a round for every doubling of the longest repeat's length.
/// Memory:  25 bytes a symbol; in the rounds 8, and 40 for each suffix that shares its first 32 bases with another.
/// Throws BackendError, before it starts and before the rounds, if that is not free.
Buffer<std::uint32_t> sort_suffixes(const DeviceText& text, const Stream& stream, const StageDone& done = {});

/// Device memory that sorting a text of that many symbols takes at the least, the text's own copy included.
std::uint64_t sorting_bytes(std::uint64_t symbols);

}  // namespace warpseed::cuda
