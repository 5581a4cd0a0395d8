// The suffix array of a genome's text, or of any byte text.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/backend.hpp"
#include "text/genome_core.hpp"
#include "warpseed/device_arrays.hpp"
#include "warpseed/suffix_array.hpp"

namespace warpseed::suffix {

/// "automatic", "prefix-doubling", "skew", "skew-prefix-doubling", "difference-cover",
/// "divsufsort".
std::string_view to_string(SuffixSorter sorter);

/// Resolves `automatic` for a backend; returns other sorters unchanged.
/// Throws InputError for an unknown name, BackendError for a sorter that the backend does not have.
SuffixSorter choose_sorter(std::string_view wanted, const Backend& backend);

struct SortOptions {
  SuffixSorter sorter = SuffixSorter::automatic;
  std::uint64_t device_bytes = 0;  // of device memory that the job may use, including the text; 0: all free memory
  std::uint64_t host_bytes = 0;    // of memory that difference_cover may use, including the text; 0: all available
  bool verify = false;             // check the array in linear time; an array built in parts is not checked
  std::uint64_t max_narrow_symbols = narrow_limit;  // symbols sorted with 32-bit positions on a device; tests lower it
};

/// Sorts the suffixes of a genome's text; the result is the same from every sorter and backend.
///
/// Order:   by symbols, a separator before any base, earlier separators before later ones. All suffixes therefore
///          differ at or before a separator, and no comparison crosses one.
/// Returns: [text.size] the text positions of the suffixes in ascending order, including separators: the first
///          segment_count() rows are the separators in text order. An empty text gives an empty array.
/// Pos:     std::uint32_t for texts of at most narrow_limit symbols, std::uint64_t for any.
/// Cost:    prefix_doubling and skew_prefix_doubling O(n log n), skew O(n) device work; difference_cover O(n log n) on
///          all threads, divsufsort on one.
/// Memory:  difference_cover 8n bytes, 16n with 64 bits; divsufsort 5n below 2^31 symbols, 9n beyond. On the device 21n
///          bytes, and in all 9n and 42 for each suffix that is tied after its first symbols; if that is not free,
///          automatic sorts in parts and needs at least 5.3n. Several devices share 25n or 5.3n, each has the text.
/// Devices: all of a backend that reach each other's memory, if the keys of the text can be divided; else the first.
/// Throws std::invalid_argument if Pos is too narrow, IoError or BackendError if memory does not suffice, BackendError
/// if `verify` finds a wrong row.
template <class Pos>
std::vector<Pos> suffix_array(const text::GenomeView& genome, const Backend& backend, const SortOptions& options = {});

/// Sorts the suffixes of a byte text, all 256 values allowed: unsigned, a proper prefix first. Returns their positions
/// in ascending order: [bytes.size()]. On the CPU by divsufsort, also where difference_cover is asked for. Otherwise as
/// above.
template <class Pos>
std::vector<Pos> suffix_array(std::span<const std::uint8_t> bytes, const Backend& backend,
                              const SortOptions& options = {});

/// The same of at most narrow_limit bytes on the device of a CUDA backend; the result stays there.
DeviceArray<std::uint32_t> suffix_array(DeviceSpan<const std::uint8_t> bytes, const Backend& backend);

/// The inverse suffix array: result[suffixes[row]] = row. suffixes: a permutation of [0, size). 64-bit positions are
/// always inverted on the CPU.
/// Throws std::invalid_argument if it is not a permutation, BackendError if the device's memory does not suffice.
template <class Pos>
std::vector<Pos> inverse_suffix_array(const std::vector<Pos>& suffixes, const Backend& backend);

extern template std::vector<std::uint32_t> suffix_array(const text::GenomeView&, const Backend&, const SortOptions&);
extern template std::vector<std::uint64_t> suffix_array(const text::GenomeView&, const Backend&, const SortOptions&);
extern template std::vector<std::uint32_t> suffix_array(std::span<const std::uint8_t>, const Backend&,
                                                        const SortOptions&);
extern template std::vector<std::uint64_t> suffix_array(std::span<const std::uint8_t>, const Backend&,
                                                        const SortOptions&);
extern template std::vector<std::uint32_t> inverse_suffix_array(const std::vector<std::uint32_t>&, const Backend&);
extern template std::vector<std::uint64_t> inverse_suffix_array(const std::vector<std::uint64_t>&, const Backend&);

}  // namespace warpseed::suffix
