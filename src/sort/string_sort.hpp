// Sorts strings of any lengths: byte strings, or reads packed at 2 bits per base.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/backend.hpp"
#include "sort/string_sort_core.hpp"

namespace warpseed::sort {

/// Concatenated byte strings: 8 bytes per string in addition to the characters.
class ByteStrings {
 public:
  void add(std::string_view letters);
  void reserve(std::uint64_t strings, std::uint64_t bytes);

  std::uint64_t count() const { return offsets_.size() - 1; }
  std::uint64_t bytes() const { return offsets_.back(); }
  std::string_view operator[](std::uint64_t i) const;
  View<std::uint64_t> offsets() const { return {offsets_.data(), offsets_.size()}; }
  ByteView text() const { return {words_.data()}; }

 private:
  std::vector<std::uint64_t> words_ = {0, 0};  // [bytes/8 + 2]
  std::vector<std::uint64_t> offsets_ = {0};   // [count + 1]
};

struct StringOrder {
  std::vector<std::uint32_t> order;  // [count] string numbers, smallest string first, equal strings in input order
  std::vector<std::uint32_t>
      heads;  // [count/32 + 1] bit j%32 of word j/32: order[j] differs from the string before it;
              //   bits past the end are set

  /// Whether a run of equal strings begins at order[row].
  bool begins_run(std::uint64_t row) const { return (heads[row / 32] >> (row % 32) & 1) != 0; }
  friend bool operator==(const StringOrder&, const StringOrder&) = default;
};

/// Sorts strings by their symbols: bytes as numbers 0 to 255, bases A < C < G < T; a proper prefix comes first.
///
/// text:   a ByteView, or a PackedView with its `size`.
/// offsets: [count + 1] in symbols, not decreasing; string i is [offsets[i], offsets[i + 1]).
/// CUDA:   radix sorts of keys that hold the group number and the next symbols. A. Deshpande and P. J. Narayanan, "Can
///         GPUs sort strings efficiently?", HiPC 2013. Symbols take as few bits as the alphabet in use needs, prefixes
///         that a group shares are skipped, small groups are sorted by comparisons, and strings that share long
///         prefixes are split by the splitters of a sorted sample.
/// CPU:    sorts by 8 bytes or 32 bases per round, groups of equal strings in parallel.
/// Cost:   each string's distinguishing prefix is read a few times; n log n comparisons of words on the CPU. On a
///         device one thread compares two strings: suited to strings of up to some thousand symbols, slow for very long
///         ones.
/// Memory: 21 bytes per string on the CPU; 64 bytes per string in addition to the text on a device.
/// All backends and thread counts give the same result. Throws std::invalid_argument for 2^32 - 1 strings or more, a
/// string of 2^32 - 1 symbols or more, or decreasing offsets; BackendError if the device fails or its memory is too
/// small.
template <class Text>
StringOrder sort_strings(const Text& text, View<std::uint64_t> offsets, const Backend& backend);

inline StringOrder sort_strings(const ByteStrings& strings, const Backend& backend) {
  return sort_strings(strings.text(), strings.offsets(), backend);
}

}  // namespace warpseed::sort
