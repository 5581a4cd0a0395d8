#include "index/mapped_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "core/memory.hpp"
#include "core/parallel.hpp"
#include "warpseed/error.hpp"

namespace warpseed::index {

namespace {

/// Opens a regular file and returns its size.
int open_regular(const std::string& path, std::size_t& size) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a pipe is rejected without waiting for it
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

struct Closer {
  int fd;
  ~Closer() { close(fd); }
};

/// Reads the beginning of the file into `out`.
void read_all(int fd, std::span<std::byte> out, int threads, const std::string& path) {
  constexpr std::uint64_t block = std::uint64_t{16} << 20;
  for_blocks(threads, out.size(), block, [&](std::uint64_t begin, std::uint64_t end) {
    while (begin < end) {
      const ssize_t got = pread(fd, out.data() + begin, end - begin, static_cast<off_t>(begin));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) throw IoError::from_errno("read", path, errno);
      if (got == 0) throw IoError(fmt::format("{}: became shorter while it was read", path));
      begin += static_cast<std::uint64_t>(got);
    }
  });
}

/// Allocates `size` bytes, with large pages if possible; empty if memory is short.
std::span<std::byte> allocate_pages(std::size_t size) {
  // As much again must stay free: large pages are allocated as a whole, and later steps need memory too.
  if (available_memory_bytes() / 2 < size) return {};
  void* address = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (address == MAP_FAILED) return {};
  madvise(address, size, MADV_HUGEPAGE);  // a hint: pages are small without it
  return {static_cast<std::byte*>(address), size};
}

}  // namespace

MappedFile::MappedFile(const std::string& path, const MappingOptions& residence) {
  std::size_t size = 0;
  const Closer file = {open_regular(path, size)};
  if (size == 0) return;
  constexpr std::size_t large_page = std::size_t{2} << 20;
  if (residence.large_pages) pages_ = allocate_pages(size + large_page);
  if (!pages_.empty()) {
    const auto misfit = reinterpret_cast<std::uintptr_t>(pages_.data()) % large_page;
    const std::span<std::byte> out = pages_.subspan(misfit == 0 ? 0 : large_page - misfit, size);
    bytes_ = out;
    try {
      read_all(file.fd, out, residence.threads, path);
    } catch (...) {
      munmap(pages_.data(), pages_.size());
      throw;
    }
    return;
  }
  void* address = mmap(nullptr, size, PROT_READ, MAP_SHARED, file.fd, 0);
  if (address == MAP_FAILED) throw IoError::from_errno("map", path, errno);
  madvise(address, size, MADV_WILLNEED);  // the checksums read every byte at once
  pages_ = {static_cast<std::byte*>(address), size};
  bytes_ = pages_;
}

MappedFile::~MappedFile() {
  if (!pages_.empty()) munmap(pages_.data(), pages_.size());
}

}  // namespace warpseed::index
