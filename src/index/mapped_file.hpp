// A whole file in memory, read-only.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace warpseed::index {

/// How a file is held in memory.
struct MappingOptions {
  /// Reads the file at once into the largest available pages if that much memory is free, which makes random accesses a
  /// sixth faster. Otherwise the file is mapped: pages are loaded on access and evicted when memory is short.
  bool large_pages = false;
  int threads = 1;  // for reading
};

/// A regular file, mapped or read.
class MappedFile {
 public:
  /// Throws InputError if there is no such file or it is not a regular one, IoError if it cannot be read.
  explicit MappedFile(const std::string& path, const MappingOptions& residence = {});
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
  std::span<std::byte> pages_;  // mapped or allocated; at least `bytes_`
};

}  // namespace warpseed::index
