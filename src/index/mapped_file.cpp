#include "index/mapped_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "core/huge_pages.hpp"
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

/// Allocates `size` bytes, with large pages if possible; empty if there is no address space for them.
std::span<std::byte> allocate_pages(std::size_t size) {
  void* address = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (address == MAP_FAILED) return {};
  madvise(address, size, MADV_HUGEPAGE);  // a hint: pages are small without it
  return {static_cast<std::byte*>(address), size};
}

/// Whether a file of `size` bytes is to be loaded. Throws IoError if it is and memory is short: the system would end
/// the program in the middle of the work.
bool is_loaded(Residence residence, std::size_t size, const std::string& path) {
  if (residence == Residence::loaded) {
    require_memory(size, fmt::format("{}: loading it", path), "leave --load out to map the file");
    return true;
  }
  // As much again must stay free: large pages are allocated as a whole, and later steps need memory too.
  return residence == Residence::automatic && available_memory_bytes() / 2 >= size;
}

}  // namespace

MappedFile::MappedFile(const std::string& path, const MappingOptions& options) {
  std::size_t size = 0;
  const Closer file = {open_regular(path, size)};
  if (size == 0) return;
  if (is_loaded(options.residence, size + huge_page_bytes, path)) pages_ = allocate_pages(size + huge_page_bytes);
  if (!pages_.empty()) {
    const auto misfit = reinterpret_cast<std::uintptr_t>(pages_.data()) % huge_page_bytes;
    const std::span<std::byte> out = pages_.subspan(misfit == 0 ? 0 : huge_page_bytes - misfit, size);
    bytes_ = out;
    try {
      read_all(file.fd, out, options.threads, path);
    } catch (...) {
      munmap(pages_.data(), pages_.size());
      throw;
    }
    return;
  }
  if (options.residence == Residence::loaded) {
    throw IoError(fmt::format("{}: no memory for its {} bytes; leave --load out to map the file", path, size));
  }
  void* address = mmap(nullptr, size, PROT_READ, MAP_SHARED, file.fd, 0);
  if (address == MAP_FAILED) throw IoError::from_errno("map", path, errno);
  if (options.whole) madvise(address, size, MADV_WILLNEED);  // the checksums read every byte at once
  pages_ = {static_cast<std::byte*>(address), size};
  bytes_ = pages_;
}

MappedFile::~MappedFile() {
  if (!pages_.empty()) munmap(pages_.data(), pages_.size());
}

}  // namespace warpseed::index
