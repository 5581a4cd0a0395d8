// A file descriptor for reading, used by the byte sources; private to the module.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace warpseed {

/// An open file or standard input. Throws the same errors as open_bytes() and ByteSource::read().
class RawFile {
 public:
  explicit RawFile(const std::string& path);
  RawFile(RawFile&& other) noexcept;
  RawFile& operator=(RawFile&&) = delete;
  ~RawFile();

  /// Returns the result of one system call: at least one byte, 0 only at the end.
  std::uint64_t read_some(std::span<char> out);

  /// Reads as many bytes as `out` holds, fewer only at the end. Many bytes of a regular file are copied by all oneTBB
  /// threads.
  std::uint64_t read_full(std::span<char> out);

  /// Goes to a byte of a regular file.
  void seek(std::uint64_t offset);

  const std::string& name() const { return name_; }
  std::uint64_t size() const { return size_; }      // 0 unless it is a regular file
  std::uint64_t offset() const { return offset_; }  // bytes read so far

  /// Bytes of a buffer for its content: `most`, or its size if that is less. Touching memory that a small file cannot fill
  /// takes longer than reading it.
  std::uint64_t buffer_bytes(std::uint64_t most) const { return size_ > 0 && size_ < most ? size_ : most; }

 private:
  std::uint64_t read_pieces(std::span<char> out);
  std::uint64_t read_at(std::span<char> out, std::uint64_t at) const;

  std::string name_;
  int fd_ = -1;
  std::uint64_t size_ = 0;
  std::uint64_t offset_ = 0;
};

}  // namespace warpseed
