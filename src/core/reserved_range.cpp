#include "core/reserved_range.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <tbb/parallel_for.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

namespace warpseed {

namespace {

constexpr std::uint64_t xfs_magic = 0x58465342;  // linux/magic.h has it in newer releases only

bool keeps_reserved_space(int fd) {
  constexpr std::array<std::uint64_t, 3> known = {TMPFS_MAGIC, EXT4_SUPER_MAGIC, xfs_magic};
  struct statfs info {};
  return fstatfs(fd, &info) == 0 && std::ranges::count(known, static_cast<std::uint64_t>(info.f_type)) > 0;
}

/// False if the file system does not support it.
bool reserve(int fd, std::uint64_t begin, std::uint64_t size) {
  int error_number = 0;
  do {
    error_number = fallocate(fd, 0, static_cast<off_t>(begin), static_cast<off_t>(size)) == 0 ? 0 : errno;
  } while (error_number == EINTR);
  if (error_number == EOPNOTSUPP || error_number == ENOSYS) return false;
  if (error_number != 0) throw std::system_error(error_number, std::generic_category());
  return true;
}

}  // namespace

std::optional<ReservedRange> ReservedRange::make(int fd, std::uint64_t begin, std::uint64_t size) {
  if (!keeps_reserved_space(fd) || !reserve(fd, begin, size)) return std::nullopt;
  const std::uint64_t before = begin % static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  void* const pages =
      mmap(nullptr, before + size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, static_cast<off_t>(begin - before));
  if (pages == MAP_FAILED) return std::nullopt;  // what is reserved can be written all the same
  const std::span<char> mapped(static_cast<char*>(pages), before + size);
  return ReservedRange(mapped, mapped.subspan(before));
}

void ReservedRange::fill(std::span<const std::string> pieces) const {
  std::vector<std::uint64_t> begins;  // in the range
  std::uint64_t bytes = 0;
  for (const std::string& piece : pieces) begins.push_back(std::exchange(bytes, bytes + piece.size()));
  tbb::parallel_for(std::size_t{0}, pieces.size(), [&](std::size_t i) {
    std::ranges::copy(pieces[i], bytes_.begin() + static_cast<std::ptrdiff_t>(begins[i]));
  });
}

ReservedRange::ReservedRange(ReservedRange&& other) noexcept
    : pages_(std::exchange(other.pages_, {})), bytes_(std::exchange(other.bytes_, {})) {}

ReservedRange& ReservedRange::operator=(ReservedRange&& other) noexcept {
  std::swap(pages_, other.pages_), std::swap(bytes_, other.bytes_);
  return *this;
}

ReservedRange::~ReservedRange() {
  if (!pages_.empty()) munmap(pages_.data(), pages_.size());
}

}  // namespace warpseed
