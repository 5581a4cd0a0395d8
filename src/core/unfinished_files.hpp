// Registers unfinished files, for removal where destructors do not run.
#pragma once

#include <string>

namespace warpseed {

/// Registers a file name during its lifetime. Process-wide state, as signals are.
/// At most 32 files at a time are registered; further ones, and names longer than the system allows, are ignored.
class UnfinishedFile {
 public:
  UnfinishedFile() = default;
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;
  ~UnfinishedFile();

  /// Call at most once.
  void note(const std::string& path) noexcept;

 private:
  int slot_ = -1;
};

/// Removes the registered files. Safe in a signal handler; the process must end afterwards.
void remove_unfinished_files() noexcept;

}  // namespace warpseed
