#include "core/anonymous_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "core/output_file.hpp"
#include "warpseed/error.hpp"

namespace warpseed {

namespace {

namespace fs = std::filesystem;

std::string folder_of(const std::string& path) {
  if (is_written_in_place(path)) return fs::temp_directory_path().string();
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

/// Opens a file that vanishes when its descriptor is closed: one without a name, where the file system has such.
int open_anonymous(const std::string& folder) {
  const int nameless = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (nameless >= 0) return nameless;
  std::string name = folder + "/warpseed.XXXXXX";
  const int descriptor = mkostemp(name.data(), O_CLOEXEC);
  if (descriptor < 0) throw IoError::from_errno("make a temporary file in", folder, errno);
  if (unlink(name.c_str()) == 0) return descriptor;
  const int error_number = errno;
  close(descriptor);
  throw IoError::from_errno("remove the name of the temporary file", name, error_number);
}

/// Calls some(bytes done), which may do a part only, until `size` bytes are done. Returns an errno or 0.
template <class Some>
int do_all(std::uint64_t size, Some some) {
  for (std::uint64_t done = 0; done < size;) {
    const ssize_t got = some(done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return got < 0 ? errno : EIO;
    done += static_cast<std::uint64_t>(got);
  }
  return 0;
}

}  // namespace

AnonymousFile::AnonymousFile(const std::string& path, std::string_view what, const std::string& folder) {
  const std::string where = folder.empty() ? folder_of(path) : folder;
  name_ = fmt::format("a temporary file {} in {}", what, where);
  descriptor_ = open_anonymous(where);
}

AnonymousFile::~AnonymousFile() {
  close(descriptor_);
}

std::uint64_t AnonymousFile::append(std::span<const std::byte> bytes) {
  const std::uint64_t offset = size_.fetch_add(bytes.size());
  const int met = do_all(bytes.size(), [&](std::uint64_t done) {
    return pwrite(descriptor_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
  });
  if (met != 0) throw IoError::from_errno("write", name_, met);
  return offset;
}

void AnonymousFile::read(std::uint64_t offset, std::span<std::byte> out) const {
  const int met = do_all(out.size(), [&](std::uint64_t done) {
    return pread(descriptor_, out.data() + done, out.size() - done, static_cast<off_t>(offset + done));
  });
  if (met != 0) throw IoError::from_errno("read", name_, met);
}

}  // namespace warpseed
