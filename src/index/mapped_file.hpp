// A whole file in memory, read-only.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace warpseed {

/// Maps a regular file; the pages come from the file when they are touched.
class MappedFile {
 public:
  /// Throws InputError if there is no such file or it is not a regular one, IoError if it cannot be read.
  explicit MappedFile(const std::string& path);
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace warpseed
