#include "core/raw_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <cerrno>
#include <utility>
#include <vector>

#include "core/byte_source.hpp"
#include "core/standard_streams.hpp"
#include "warpseed/error.hpp"

namespace warpseed {

namespace {

constexpr std::uint64_t piece_bytes = 1 << 20;  // that a thread copies at a time

}  // namespace

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
  std::uint64_t filled = size_ > 0 && out.size() >= 2 * piece_bytes ? read_pieces(out) : 0;
  while (filled < out.size()) {
    const std::uint64_t got = read_some(out.subspan(filled));
    if (got == 0) break;
    filled += got;
  }
  return filled;
}

/// Reads pieces at the same time. Returns how many bytes from the first one on were read without a gap.
std::uint64_t RawFile::read_pieces(std::span<char> out) {
  const off_t begin = lseek(fd_, 0, SEEK_CUR);
  if (begin < 0) return 0;  // not seekable after all
  const std::uint64_t pieces = (out.size() + piece_bytes - 1) / piece_bytes;
  std::vector<std::uint64_t> got(pieces);
  const auto read_piece = [&](std::uint64_t i) {
    const std::uint64_t from = i * piece_bytes;
    got[i] =
        read_at(out.subspan(from, std::min(piece_bytes, out.size() - from)), static_cast<std::uint64_t>(begin) + from);
  };
  // Waiting for the pieces, this thread takes up no other work.
  tbb::this_task_arena::isolate([&] { tbb::parallel_for(std::uint64_t{0}, pieces, read_piece); });
  std::uint64_t filled = 0;
  for (std::uint64_t i = 0; i < pieces && filled == i * piece_bytes; ++i) filled += got[i];
  if (lseek(fd_, begin + static_cast<off_t>(filled), SEEK_SET) < 0) throw IoError::from_errno("read", name_, errno);
  offset_ += filled;
  return filled;
}

void RawFile::seek(std::uint64_t offset) {
  if (lseek(fd_, static_cast<off_t>(offset), SEEK_SET) < 0) throw IoError::from_errno("read", name_, errno);
  offset_ = offset;
}

/// Reads from a position of the file; fewer bytes than asked for only at its end.
std::uint64_t RawFile::read_at(std::span<char> out, std::uint64_t at) const {
  std::uint64_t filled = 0;
  while (filled < out.size()) {
    const ssize_t got = pread(fd_, out.data() + filled, out.size() - filled, static_cast<off_t>(at + filled));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw IoError::from_errno("read", name_, errno);
    if (got == 0) break;
    filled += static_cast<std::uint64_t>(got);
  }
  return filled;
}

}  // namespace warpseed
