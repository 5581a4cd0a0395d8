// A part of a new file that several threads fill at the same time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace warpseed {

/// Space that is reserved in a file and mapped into memory. Linux lets one thread at a time write a file; memory has no
/// such lock. Only on file systems that keep their word on reserved space: on others an access could end the process.
class ReservedRange {
 public:
  /// The bytes [begin, begin + size) of a regular file open for reading and writing, which grows to hold them. None if
  /// its file system cannot, or is not known to keep reserved space. Throws std::system_error where there is no space.
  static std::optional<ReservedRange> make(int fd, std::uint64_t begin, std::uint64_t size);
  ReservedRange(ReservedRange&& other) noexcept;
  ReservedRange& operator=(ReservedRange&& other) noexcept;
  ~ReservedRange();

  std::span<char> bytes() const { return bytes_; }

  /// Copies pieces that fill the range, one after the other, by the threads of the caller's arena.
  void fill(std::span<const std::string> pieces) const;

 private:
  ReservedRange(std::span<char> pages, std::span<char> bytes) : pages_(pages), bytes_(bytes) {}

  std::span<char> pages_, bytes_;  // mapped, and those of them that were asked for
};

}  // namespace warpseed
