#include "core/raw_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "core/byte_source.hpp"
#include "core/standard_streams.hpp"
#include "warpseed/error.hpp"

namespace warpseed {

std::string input_name(const std::string& path) {
  return path == "-" ? "standard input" : path;
}

RawFile::RawFile(const std::string& path) : name_(input_name(path)) {
  if ((path == "-" || path == "/dev/stdin") && is_closed_stream(STDIN_FILENO))
    throw InputError("cannot read " + name_ + ": standard input is closed; pipe the data in, or name a file");
  fd_ = path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd_ < 0) {
    const int error_number = errno;
    if (error_number == ENOENT || error_number == ENOTDIR)
      throw InputError("cannot open " + name_ + ": no such file; check the path");
    throw IoError::from_errno("open", name_, error_number);
  }
  struct stat info {};
  if (fstat(fd_, &info) != 0) throw IoError::from_errno("read", name_, errno);
  if (S_ISDIR(info.st_mode)) {
    if (fd_ != STDIN_FILENO) close(fd_);
    throw InputError("cannot read " + name_ + ": it is a directory; name a file in it");
  }
  if (S_ISREG(info.st_mode)) size_ = static_cast<std::uint64_t>(info.st_size);
  posix_fadvise(fd_, 0, 0, POSIX_FADV_SEQUENTIAL);  // only a hint: pipes reject it
}

RawFile::RawFile(RawFile&& other) noexcept
    : name_(std::move(other.name_)), fd_(std::exchange(other.fd_, -1)), size_(other.size_), offset_(other.offset_) {}

RawFile::~RawFile() {
  if (fd_ > STDIN_FILENO) close(fd_);
}

std::uint64_t RawFile::read_some(std::span<char> out) {
  constexpr std::size_t most = 1 << 30;  // Linux reads at most 2 GiB per call
  for (;;) {
    const ssize_t got = ::read(fd_, out.data(), std::min(out.size(), most));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw IoError::from_errno("read", name_, errno);
    offset_ += static_cast<std::uint64_t>(got);
    return static_cast<std::uint64_t>(got);
  }
}

std::uint64_t RawFile::read_full(std::span<char> out) {
  std::uint64_t filled = 0;
  while (filled < out.size()) {
    const std::uint64_t got = read_some(out.subspan(filled));
    if (got == 0) break;
    filled += got;
  }
  return filled;
}

}  // namespace warpseed
