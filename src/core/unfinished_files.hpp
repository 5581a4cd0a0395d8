// Registers unfinished files, for removal where destructors do not run.
#pragma once

#include <sys/types.h>

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

/// While one exists, its thread creates a registered file. After end_file_creation() the constructor does not return.
class FileCreation {
 public:
  FileCreation() noexcept;
  FileCreation(const FileCreation&) = delete;
  FileCreation& operator=(const FileCreation&) = delete;
  ~FileCreation();
};

/// While one exists, a child process writes registered files, and end_file_creation() kills it. At most one at a time;
/// construct it while the FileCreation exists in which the child was started, destroy it before the child is reaped.
class WritingChild {
 public:
  explicit WritingChild(pid_t child) noexcept;
  WritingChild(const WritingChild&) = delete;
  WritingChild& operator=(const WritingChild&) = delete;
  ~WritingChild();
};

/// Waits for files that other threads are creating, a tenth of a second at most; none is begun from then on. Otherwise one
/// could come after remove_unfinished_files(). Safe in a signal handler; the process must end afterwards.
void end_file_creation() noexcept;

/// Whether an output has got its name or is written in place, so that something of this process remains if it ends now.
/// Safe in a signal handler.
void note_output_written() noexcept;
bool output_was_written() noexcept;

/// Removes the registered files. Safe in a signal handler; the process must end afterwards.
void remove_unfinished_files() noexcept;

}  // namespace warpseed
