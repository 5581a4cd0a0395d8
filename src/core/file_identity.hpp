// Which file a path names, however it is spelled.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace warpseed {

/// Equal for two paths of one file: another spelling, a symbolic or a hard link, "-" and what the stream comes from.
struct FileIdentity {
  std::filesystem::file_type type = std::filesystem::file_type::not_found;
  std::uint64_t device = 0, inode = 0;
  std::string path;  // where it would be created, if there is no such file; empty if there is

  bool operator==(const FileIdentity&) const = default;

  /// A pipe or a socket: its bytes can be read only once, and two writers would mix theirs.
  bool is_stream() const {
    return type == std::filesystem::file_type::fifo || type == std::filesystem::file_type::socket;
  }
};

FileIdentity input_identity(const std::string& path);   // "-" is standard input
FileIdentity output_identity(const std::string& path);  // "-" is standard output

/// The target of a symbolic link, whether or not it exists yet; every other path as it is. Empty for a circle of links.
std::string behind_links(const std::string& path);

}  // namespace warpseed
