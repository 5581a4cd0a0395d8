// The suffix array of a genome's text, or of any text of bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/backend.hpp"
#include "text/genome_core.hpp"

namespace warpseed::suffix {

/// How suffixes are sorted. All give the same array.
///
/// automatic             what was measured fastest on the backend: divsufsort on the CPU, prefix_doubling with CUDA,
///                       in parts where the device's memory does not hold the array
/// prefix_doubling       CUDA: Manber and Myers, SIAM J. Comput. 1993, begun with keys of 29 bases or 64 bits of bytes
/// skew                  CUDA: two thirds of the suffixes are named and sorted by recursion, the rest follow from them
///                       and are merged in: Kaerkkaeinen, Sanders and Burkhardt, "Linear work suffix array
///                       construction", J. ACM 2006
/// skew_prefix_doubling  CUDA: the same, but the two thirds are sorted by prefix doubling
/// divsufsort            CPU: Mori's libdivsufsort
enum class SuffixSorter { automatic, prefix_doubling, skew, skew_prefix_doubling, divsufsort };

/// "automatic", "prefix-doubling", "skew", "skew-prefix-doubling", "divsufsort".
std::string_view to_string(SuffixSorter sorter);

/// The sorter that `automatic` means on a backend, or `wanted` itself.
/// Throws InputError for an unknown name, BackendError for a sorter the backend does not have.
SuffixSorter choose_sorter(std::string_view wanted, const Backend& backend);

struct SortOptions {
  SuffixSorter sorter = SuffixSorter::automatic;
  std::uint64_t device_bytes = 0;  // of device memory that the job may take, the text included; 0: all that is free
  bool verify = false;             // check the array in linear time before it is used; one made in parts is not checked
  std::uint64_t most_narrow = narrow_limit;  // symbols sorted with 32-bit positions on a device; tests lower it
};

/// Sorts the suffixes of a genome's text; the result is the same from every sorter and backend.
///
/// Order:   by symbols, a separator before any base, of two separators the earlier one first. So all suffixes differ
///          at or before a separator, and no comparison runs across one.
/// Returns: [text.size] the text positions of the suffixes in ascending order; separators take part, so the first
///          segment_count() rows are the separators in text order. An empty text gives an empty array.
/// Pos:     std::uint32_t for texts of at most narrow_limit symbols, std::uint64_t for any.
/// Cost:    prefix_doubling and skew_prefix_doubling O(n log n), skew O(n) device work; divsufsort O(n log n) on one
///          core.
/// Memory:  divsufsort 5n bytes below 2^31 symbols, 9n beyond. On the device 21n bytes, and in all 9n and 42 for each
///          suffix that is tied after its first symbols; where that is not free, automatic sorts in parts and needs
///          5.3n at the least.
/// Throws std::invalid_argument if Pos is too narrow, IoError or BackendError if memory does not suffice, BackendError
/// if `verify` finds a row wrong.
template <class Pos>
std::vector<Pos> suffix_array(const text::GenomeView& genome, const Backend& backend, const SortOptions& options = {});

/// Sorts the suffixes of a text of bytes, all 256 values allowed: unsigned, and a suffix that ends is smaller than one
/// that goes on equally. Returns their positions in ascending order: [bytes.size()]. Otherwise as above.
template <class Pos>
std::vector<Pos> suffix_array(std::span<const std::uint8_t> bytes, const Backend& backend,
                              const SortOptions& options = {});

/// Where each suffix stands: result[suffixes[row]] = row. suffixes: a permutation of [0, size). 64-bit positions are
/// inverted on the CPU whatever the backend.
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
