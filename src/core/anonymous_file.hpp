// A temporary file without a name, so that nothing of it can remain.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace warpseed {

/// Threads: any. Throws IoError.
class AnonymousFile {
 public:
  /// In `folder`; if that is empty, in the folder of `path`, or in the one for temporary files if
  /// is_written_in_place(path). what: for messages.
  AnonymousFile(const std::string& path, std::string_view what, const std::string& folder = {});
  AnonymousFile(AnonymousFile&&) = delete;
  ~AnonymousFile();

  /// Returns the offset of the appended bytes.
  std::uint64_t append(std::span<const std::byte> bytes);

  /// Reads as many bytes as `out` holds; they must have been written before.
  void read(std::uint64_t offset, std::span<std::byte> out) const;

  /// "a temporary file for sorting in /scratch".
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  int descriptor_;
  std::atomic<std::uint64_t> size_{0};
};

}  // namespace warpseed
