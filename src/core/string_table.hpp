// String interning: each distinct string is stored once and has a number.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace warpseed {

/// Numbers distinct strings from 0, in the order of their addition. About 20 bytes per string plus its characters.
/// Threads: many readers or one writer.
class StringTable {
 public:
  static constexpr std::uint32_t none = 0xFFFFFFFF;

  /// The number of `text`, which is added if it is new. Throws InputError beyond 2^32 - 2 strings.
  std::uint32_t add(std::string_view text);

  /// The number of `text`, or `none`.
  std::uint32_t find(std::string_view text) const;

  /// Valid until the next add(), also if the table is moved.
  std::string_view operator[](std::uint32_t number) const {
    return {letters_.data() + begins_[number], begins_[number + std::uint64_t{1}] - begins_[number]};
  }

  std::uint32_t size() const { return static_cast<std::uint32_t>(begins_.size() - 1); }

 private:
  std::uint64_t slot_of(std::string_view text) const;
  void grow();

  std::vector<char> letters_;
  std::vector<std::uint64_t> begins_ = {0};  // [size + 1] offsets in letters_
  std::vector<std::uint32_t> slots_;  // hash table of numbers, or `none`; a power of two of slots, at most half in use
};

}  // namespace warpseed
