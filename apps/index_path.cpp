#include "index_path.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "index/index_format.hpp"
#include "warpseed/error.hpp"

namespace warpseed::cli {

namespace {

/// Does the file begin as an index does? A pipe or a device is not read.
bool begins_as_index(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  std::ifstream file(path, std::ios::binary);
  std::array<char, index::format::magic.size()> begin = {};
  return file.read(begin.data(), begin.size()) && begin == index::format::magic;
}

}  // namespace

std::string find_index(const std::string& path) {
  std::error_code ignored;
  if (path.ends_with(".wsi") || std::filesystem::is_directory(path, ignored) || begins_as_index(path)) return path;
  const std::string default_index = path + ".wsi";
  if (std::filesystem::exists(default_index, ignored)) return default_index;
  if (!std::filesystem::exists(path, ignored)) {
    throw InputError(
        fmt::format("{}: no such file, and no {}; make an index with: warpseed index FASTA", path, default_index));
  }
  throw InputError(fmt::format("{}: is not an index, and there is no {}; make it with: warpseed index {}", path,
                               default_index, path));
}

}  // namespace warpseed::cli
