#include "core/page_cache.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "warpseed/error.hpp"

namespace warpseed {

namespace {

struct OpenFile {
  int fd;
  ~OpenFile() { close(fd); }
};

}  // namespace

std::uint64_t bytes_in_page_cache(const std::string& path) {
  const OpenFile file = {open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  struct stat status {};
  if (file.fd < 0 || fstat(file.fd, &status) != 0) throw IoError::from_errno("open", path, errno);
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return 0;
  void* const address = mmap(nullptr, size, PROT_READ, MAP_SHARED, file.fd, 0);
  if (address == MAP_FAILED) throw IoError::from_errno("map", path, errno);
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> resident((size + page - 1) / page);
  const int error_number = mincore(address, size, resident.data()) == 0 ? 0 : errno;
  munmap(address, size);
  if (error_number != 0) throw IoError::from_errno("read", path, error_number);
  const auto pages =
      std::count_if(resident.begin(), resident.end(), [](unsigned char bits) { return (bits & 1) != 0; });
  return std::min(static_cast<std::uint64_t>(pages) * page, static_cast<std::uint64_t>(size));
}

}  // namespace warpseed
