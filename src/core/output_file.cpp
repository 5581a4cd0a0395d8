#include "core/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "core/error.hpp"

namespace warpseed {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t buffer_bytes = 1 << 20;
constexpr std::size_t written_at_once_bytes = 1 << 14;  // from here a copy costs more than a call of the system

/// Pipes, terminals and devices have no content to protect: they are written as they stand.
bool written_in_place(const std::string& path) {
  if (path == "-") return true;
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return fs::exists(status) && !fs::is_regular_file(status);
}

}  // namespace

std::string unfinished_path(const std::string& path) {
  return fmt::format("{}.unfinished.{}", path, getpid());
}

void commit_file(const std::string& unfinished, const std::string& path) {
  const int fd = open(unfinished.c_str(), O_RDONLY | O_CLOEXEC);
  bool ok = fd >= 0 && fsync(fd) == 0;
  int error_number = ok ? 0 : errno;
  if (fd >= 0) close(fd);
  if (ok && std::rename(unfinished.c_str(), path.c_str()) != 0) {
    ok = false;
    error_number = errno;
  }
  if (!ok) {
    unlink(unfinished.c_str());
    throw IoError::from_errno("finish", path, error_number);
  }
}

PendingFile::PendingFile(std::string path) : path_(std::move(path)) {
  if (fs::is_directory(path_)) throw IoError("cannot write " + path_ + ": it is a directory; name a file");
  if (written_in_place(path_)) {
    writing_path_ = path_;
    return;
  }
  writing_path_ = unfinished_path(path_);
  unfinished_.note(writing_path_);
  const int fd = open(writing_path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) throw IoError::from_errno("write", path_, errno);
  close(fd);
}

PendingFile::~PendingFile() {
  if (!committed_ && writing_path_ != path_) unlink(writing_path_.c_str());
}

void PendingFile::commit() {
  committed_ = true;
  if (writing_path_ != path_) commit_file(writing_path_, path_);
}

OutputFile::OutputFile(const std::string& path) : pending_(path) {
  fd_ = path == "-" ? STDOUT_FILENO : open(pending_.writing_path().c_str(), O_WRONLY | O_CLOEXEC);
  if (fd_ < 0) fail(errno);
  buffer_.reserve(buffer_bytes);
}

OutputFile::~OutputFile() {
  if (fd_ >= 0 && fd_ != STDOUT_FILENO) close(fd_);
}

void OutputFile::write(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > buffer_bytes) flush();
  if (bytes.size() >= written_at_once_bytes) {
    flush();
    write_at_once(bytes);
  } else {
    buffer_.append(bytes);
  }
  written_ += bytes.size();
}

void OutputFile::flush() {
  write_at_once(buffer_);
  buffer_.clear();
}

void OutputFile::write_at_once(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd_, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR) fail(errno);
    if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void OutputFile::commit() {
  flush();
  const int closing = std::exchange(fd_, -1);
  if (closing != STDOUT_FILENO && close(closing) != 0) fail(errno);
  pending_.commit();
}

void OutputFile::fail(int error_number) const {
  const std::string name = pending_.path() == "-" ? "standard output" : pending_.path();
  throw IoError::from_errno("write", name, error_number);
}

}  // namespace warpseed
