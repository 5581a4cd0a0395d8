// A temporary file that has no name, so that nothing can be left of it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace warpseed {

/// Any thread may call anything. Throws IoError.
class AnonymousFile {
 public:
  /// In the folder of `path`, or in the one for temporary files if that is_written_in_place(). what: for messages.
  AnonymousFile(const std::string& path, std::string_view what);
  AnonymousFile(AnonymousFile&&) = delete;
  ~AnonymousFile();

  /// Returns where the bytes lie from now on.
  std::uint64_t append(std::span<const std::byte> bytes);

  /// As many bytes as `out` has room for, which have been written there.
  void read(std::uint64_t offset, std::span<std::byte> out) const;

  /// "a temporary file for sorting in /scratch".
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  int descriptor_;
  std::atomic<std::uint64_t> size_{0};
};

}  // namespace warpseed
