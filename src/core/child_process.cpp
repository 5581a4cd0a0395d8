#include "core/child_process.hpp"

#include <signal.h>
#include <unistd.h>

#include <new>

#include "warpseed/error.hpp"

namespace warpseed {

namespace {

/// Of functions that fail only without memory.
void require_memory(int error_number) {
  if (error_number != 0) throw std::bad_alloc();
}

}  // namespace

ChildStart::ChildStart() {
  require_memory(posix_spawn_file_actions_init(&actions_));
  require_memory(posix_spawnattr_init(&attributes_));
}

ChildStart::~ChildStart() {
  posix_spawnattr_destroy(&attributes_);
  posix_spawn_file_actions_destroy(&actions_);
}

void ChildStart::copy(int descriptor, int target) {
  require_memory(posix_spawn_file_actions_adddup2(&actions_, descriptor, target));
}

void ChildStart::open(const char* path, int flags, int target) {
  require_memory(posix_spawn_file_actions_addopen(&actions_, target, path, flags, 0));
}

void ChildStart::reset_signals() {
  sigset_t none, broken_pipe;
  sigemptyset(&none), sigemptyset(&broken_pipe);
  sigaddset(&broken_pipe, SIGPIPE);
  posix_spawnattr_setsigmask(&attributes_, &none);
  posix_spawnattr_setsigdefault(&attributes_, &broken_pipe);
  posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

pid_t ChildStart::start(const std::string& program, const char* const* arguments, const std::string& what) const {
  pid_t child = 0;
  const int error_number =
      posix_spawn(&child, program.c_str(), &actions_, &attributes_, const_cast<char* const*>(arguments), environ);
  if (error_number != 0) throw IoError::from_errno("run", what, error_number);
  return child;
}

}  // namespace warpseed
