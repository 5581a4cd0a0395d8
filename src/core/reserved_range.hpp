// A part of a new file that several threads fill at the same time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/background_thread.hpp"

namespace warpseed {

/// Space that is reserved in a file and mapped into memory. Linux lets one thread at a time write a file; memory has no
/// such lock.
class ReservedRange {
 public:
  ReservedRange(ReservedRange&& other) noexcept;
  ReservedRange& operator=(ReservedRange&& other) noexcept;
  ~ReservedRange();

  std::span<char> bytes() const { return bytes_; }

  /// Copies pieces that fill the range, one after the other, by the threads of the caller's arena.
  void fill(std::span<const std::string> pieces) const;

 private:
  friend class ReservedSpace;
  ReservedRange(std::span<char> pages, std::span<char> bytes) : pages_(pages), bytes_(bytes) {}

  std::span<char> pages_, bytes_;  // mapped, and those of them that were asked for
};

/// The space of a growing file's ranges. To reserve it takes a quarter as long as to fill it, and waits for whoever writes
/// the file: so a thread of its own reserves space ahead. Only on file systems that keep their word on reserved space: on
/// others an access could end the process. Threads: one caller at a time.
class ReservedSpace {
 public:
  /// Of a regular file open for reading and writing, which must stay open.
  explicit ReservedSpace(int fd) : fd_(fd) {}

  /// The bytes [begin, begin + size) of the file, which grows to hold them, and more. None if its file system cannot, or is
  /// not known to keep reserved space. Throws std::system_error where there is no space.
  std::optional<ReservedRange> range(std::uint64_t begin, std::uint64_t size);

  /// Returns when nothing more is being reserved. The file may then end beyond its last range.
  void finish();

 private:
  bool reserve_until(std::uint64_t end);
  void take_ahead();
  void reserve_ahead();

  const int fd_;
  std::uint64_t end_ = 0;                        // of what is reserved
  bool has_more_space_ = true;                   // to reserve ahead, as far as is known
  std::optional<BackgroundThread<bool>> ahead_;  // reserves from end_ on
};

}  // namespace warpseed
