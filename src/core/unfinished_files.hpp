// Which files of the process are unfinished, for who has to remove them without destructors.
#pragma once

#include <string>

namespace warpseed {

/// Notes the name of a file while it lives. State of the process, since a signal is that, too.
/// Of more than 32 files at a time, and of names longer than the system takes, nothing is noted.
class UnfinishedFile {
 public:
  UnfinishedFile() = default;
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;
  ~UnfinishedFile();

  /// Called once at most.
  void note(const std::string& path) noexcept;

 private:
  int slot_ = -1;
};

/// Removes the files that are noted. May be called in a signal handler; the process is expected to end then.
void remove_unfinished_files() noexcept;

}  // namespace warpseed
