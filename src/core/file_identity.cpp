#include "core/file_identity.hpp"

#include <sys/stat.h>
#include <unistd.h>

namespace warpseed {

namespace fs = std::filesystem;

namespace {

fs::file_type type_of(mode_t mode) {
  if (S_ISREG(mode)) return fs::file_type::regular;
  if (S_ISFIFO(mode)) return fs::file_type::fifo;
  if (S_ISSOCK(mode)) return fs::file_type::socket;
  if (S_ISCHR(mode)) return fs::file_type::character;
  if (S_ISDIR(mode)) return fs::file_type::directory;
  return fs::file_type::unknown;
}

FileIdentity identity_of(const std::string& path, int standard_stream) {
  struct stat info = {};
  const bool exists = path == "-" ? fstat(standard_stream, &info) == 0 : stat(path.c_str(), &info) == 0;
  if (exists) return {type_of(info.st_mode), info.st_dev, info.st_ino, {}};
  std::error_code ignored;
  return {fs::file_type::not_found, 0, 0, fs::weakly_canonical(fs::absolute(link_target(path), ignored), ignored)};
}

}  // namespace

FileIdentity input_identity(const std::string& path) {
  return identity_of(path, STDIN_FILENO);
}

FileIdentity output_identity(const std::string& path) {
  return identity_of(path, STDOUT_FILENO);
}

std::string link_target(const std::string& path) {
  constexpr int max_links = 40;  // the system's limit
  fs::path at = path;
  std::error_code error;
  for (int i = 0; fs::is_symlink(at, error); ++i) {
    if (i == max_links) return {};
    const fs::path target = fs::read_symlink(at, error);
    at = at.parent_path() / target;
  }
  return at.string();
}

}  // namespace warpseed
