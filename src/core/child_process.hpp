// Programs that run as child processes.
#pragma once

#include <spawn.h>
#include <sys/types.h>

#include <string>

namespace warpseed {

/// How a child process starts. All functions but start() throw std::bad_alloc where memory is missing.
class ChildStart {
 public:
  ChildStart();
  ChildStart(const ChildStart&) = delete;
  ChildStart& operator=(const ChildStart&) = delete;
  ~ChildStart();

  /// Its descriptor `target` is a copy of `descriptor`, or the file `path`.
  void copy(int descriptor, int target);
  void open(const char* path, int flags, int target);

  /// No signal is blocked, and it ends when it writes to a pipe that nobody reads.
  void reset_signals();

  /// Starts the program of this path. `arguments`: its name first, null last. Throws IoError: "cannot run WHAT".
  pid_t start(const std::string& program, const char* const* arguments, const std::string& what) const;

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

}  // namespace warpseed
