#include "index/mapped_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "core/error.hpp"

namespace warpseed {

namespace {

/// Opens a regular file and tells its size.
int open_regular(const std::string& path, std::size_t& size) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a pipe is refused, not waited for
  if (fd < 0 && (errno == ENOENT || errno == ENOTDIR)) {
    throw InputError(fmt::format("{}: no such file; warpseed index makes an index from FASTA", path));
  }
  if (fd < 0) throw IoError::from_errno("open", path, errno);
  struct stat status {};
  const int error_number = fstat(fd, &status) == 0 ? 0 : errno;
  if (error_number == 0 && S_ISREG(status.st_mode)) {
    size = static_cast<std::size_t>(status.st_size);
    return fd;
  }
  close(fd);
  if (error_number != 0) throw IoError::from_errno("read", path, error_number);
  throw InputError(fmt::format("{}: {}; give the .wsi file that warpseed index wrote", path,
                               S_ISDIR(status.st_mode) ? "is a directory" : "is not a regular file"));
}

}  // namespace

MappedFile::MappedFile(const std::string& path) {
  std::size_t size = 0;
  const int fd = open_regular(path, size);
  if (size == 0) {
    close(fd);
    return;
  }
  void* address = mmap(nullptr, size, PROT_READ, MAP_SHARED, fd, 0);
  const int error_number = errno;
  close(fd);
  if (address == MAP_FAILED) throw IoError::from_errno("map", path, error_number);
  madvise(address, size, MADV_WILLNEED);  // every byte is read at once, for the checksums
  bytes_ = {static_cast<const std::byte*>(address), size};
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}  // namespace warpseed
