#include "core/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <system_error>
#include <utility>

#include "core/file_identity.hpp"
#include "core/stale_files.hpp"
#include "core/standard_streams.hpp"
#include "warpseed/error.hpp"

namespace warpseed {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t buffer_bytes = 1 << 20;
constexpr std::size_t written_at_once_bytes = 1 << 14;  // from this size on a copy costs more than a system call

/// The final name of output written to `path`. Throws IoError for a loop of links.
std::string final_path_of(const std::string& path) {
  std::string target = link_target(path);
  if (target.empty()) throw IoError::from_errno("write", path, ELOOP);
  return target;
}

/// Returns a descriptor, or -1 with errno.
int create(const std::string& path) {
  const FileCreation creation;
  return open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

/// Returns an errno or 0.
int synchronise(int fd) {
  while (fsync(fd) != 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
}

/// Makes a rename durable. If the folder is writable but not readable, or its file system does not support syncing
/// folders, the rename is as durable as it can be.
void synchronise_folder(const std::string& path) {
  const std::string parent = fs::path(path).parent_path().string();
  const std::string folder = parent.empty() ? "." : parent;
  const int fd = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0 && errno == EACCES) return;
  const int error_number = fd >= 0 ? synchronise(fd) : errno;
  if (fd >= 0) close(fd);
  if (error_number == 0 || error_number == EINVAL || error_number == EOPNOTSUPP) return;
  throw IoError::from_errno("synchronise the folder of", path, error_number);
}

}  // namespace

bool is_standard_output(const std::string& path) {
  struct stat named = {};
  struct stat standard = {};
  return path == "-" || (stat(path.c_str(), &named) == 0 && fstat(STDOUT_FILENO, &standard) == 0 &&
                         named.st_dev == standard.st_dev && named.st_ino == standard.st_ino);
}

bool is_written_in_place(const std::string& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return is_standard_output(path) || (fs::exists(status) && !fs::is_regular_file(status));
}

std::string unfinished_prefix(const std::string& path) {
  char host[65] = {};  // Linux: 64 characters at most
  if (gethostname(host, sizeof host - 1) != 0) host[0] = '\0';
  std::replace(std::begin(host), std::end(host), '/', '_');
  return fmt::format("{}.unfinished.{}.", path, host);
}

std::string unfinished_path(const std::string& path) {
  return unfinished_prefix(path) + std::to_string(getpid());
}

void commit_file(const std::string& unfinished, const std::string& path) {
  const int fd = open(unfinished.c_str(), O_RDONLY | O_CLOEXEC);
  int error_number = fd >= 0 ? synchronise(fd) : errno;
  if (fd >= 0) close(fd);
  if (error_number == 0 && std::rename(unfinished.c_str(), path.c_str()) != 0) error_number = errno;
  if (error_number != 0) {
    unlink(unfinished.c_str());
    throw IoError::from_errno("finish", path, error_number);
  }
  synchronise_folder(path);
}

PendingFile::PendingFile(std::string path) : path_(std::move(path)) {
  if (path_.empty()) throw InputError("the name of an output is empty; name a file");
  std::error_code ignored;
  if (fs::is_directory(path_, ignored)) throw IoError("cannot write " + path_ + ": it is a directory; name a file");
  if (is_written_in_place(path_)) {
    note_output_written();
    writing_path_ = is_standard_output(path_) ? "-" : path_;
    if (path_ == "-" && is_closed_stream(STDOUT_FILENO))
      throw IoError("cannot write standard output: it is closed; name a file, or open it");
    return;
  }
  final_path_ = final_path_of(path_);
  writing_path_ = unfinished_path(final_path_);
  unfinished_.note(writing_path_);
  lock_ = create(writing_path_);
  if (lock_ < 0) throw IoError::from_errno("write", path_, errno);
  lock_unfinished_file(lock_);
}

PendingFile::~PendingFile() {
  if (!committed_ && !in_place()) unlink(writing_path_.c_str());
  unlock();
}

void PendingFile::unlock() {
  if (lock_ >= 0) close(std::exchange(lock_, -1));
}

void PendingFile::commit() {
  committed_ = true;
  note_output_written();
  if (!in_place()) commit_file(writing_path_, final_path_);
  unlock();
}

OutputFile::OutputFile(const std::string& path) : pending_(path) {
  const std::string& writing = pending_.writing_path();
  reserves_ = !pending_.in_place();
  const int access = reserves_ ? O_RDWR : O_WRONLY;  // a file is mapped for reading and writing only
  fd_ = writing == "-" ? STDOUT_FILENO : open(writing.c_str(), access | O_CLOEXEC);
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

std::optional<ReservedRange> OutputFile::reserve(std::uint64_t begin, std::uint64_t bytes) try {
  if (!reserves_ || bytes == 0) return std::nullopt;
  std::optional<ReservedRange> range = ReservedRange::make(fd_, begin, bytes);
  reserves_ = range.has_value();
  return range;
} catch (const std::system_error& error) {
  fail(error.code().value());
}

void OutputFile::skip(std::uint64_t bytes) {
  flush();
  written_ += bytes;
  if (lseek(fd_, static_cast<off_t>(written_), SEEK_SET) < 0) fail(errno);
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
  if (closing != STDOUT_FILENO && close(closing) != 0 && errno != EINTR) fail(errno);  // interrupted, it has closed
  pending_.commit();
}

void OutputFile::fail(int error_number) const {
  const std::string name = pending_.path() == "-" ? "standard output" : pending_.path();
  throw IoError::from_errno("write", name, error_number);
}

}  // namespace warpseed
