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
  file_ = path == "-" ? stdout : std::fopen(pending_.writing_path().c_str(), "wb");
  if (!file_) fail(errno);
  std::setvbuf(file_, nullptr, _IOFBF, 1 << 20);
}

OutputFile::~OutputFile() {
  if (file_ && file_ != stdout) std::fclose(file_);
}

void OutputFile::write(std::string_view bytes) {
  if (bytes.empty()) return;  // fwrite wants an address even for nothing
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail(errno);
  written_ += bytes.size();
}

void OutputFile::flush() {
  if (std::fflush(file_) != 0) fail(errno);
}

void OutputFile::commit() {
  flush();
  std::FILE* closing = std::exchange(file_, nullptr);
  if (closing != stdout && std::fclose(closing) != 0) fail(errno);
  pending_.commit();
}

void OutputFile::fail(int error_number) const {
  const std::string name = pending_.path() == "-" ? "standard output" : pending_.path();
  throw IoError::from_errno("write", name, error_number);
}

}  // namespace warpseed
