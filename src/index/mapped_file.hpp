// A whole file in memory, read-only.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace warpseed::index {

/// How a file is held in memory.
enum class Residence {
  mapped,     // pages are loaded on access, shared by all processes that map the file, and evicted when memory is short
  loaded,     // read at once into memory of this process, in the largest available pages
  automatic,  // loaded if the system has twice the file's size free, or else mapped
};

struct MappingOptions {
  Residence residence = Residence::mapped;
  int threads = 1;    // for loading; large pages make random accesses a sixth faster
  bool whole = true;  // all of a mapped file will be read soon; false: only some pages
};

/// A regular file, mapped or read.
class MappedFile {
 public:
  /// Throws InputError if there is no such file or it is not a regular one, IoError if it cannot be read, or if memory
  /// does not suffice to load it.
  explicit MappedFile(const std::string& path, const MappingOptions& options = {});
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
  std::span<std::byte> pages_;  // mapped or allocated; at least `bytes_`
};

}  // namespace warpseed::index
