// Identifies the file that a path refers to, however it is spelled.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace warpseed {

/// Equal for two paths to one file: another spelling, a symbolic or hard link, or "-" and the stream's file.
struct FileIdentity {
  std::filesystem::file_type type = std::filesystem::file_type::not_found;
  std::uint64_t device = 0, inode = 0;
  std::string path;  // where it would be created, if it does not exist; empty if it does

  bool operator==(const FileIdentity&) const = default;

  /// A pipe or a socket: it can be read only once, and two writers would interleave.
  bool is_stream() const {
    return type == std::filesystem::file_type::fifo || type == std::filesystem::file_type::socket;
  }
};

FileIdentity input_identity(const std::string& path);   // "-" is standard input
FileIdentity output_identity(const std::string& path);  // "-" is standard output

/// The target of a symbolic link, whether it exists or not; any other path unchanged. Empty for a loop of links.
std::string link_target(const std::string& path);

}  // namespace warpseed
