#include "core/unfinished_files.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>
#include <ctime>

namespace warpseed {

namespace {

enum class State { empty, being_filled, filled };

/// A name that a signal handler may read at any time: its memory is never freed.
struct Slot {
  std::atomic<State> state = State::empty;
  char path[PATH_MAX];
};
static_assert(std::atomic<State>::is_always_lock_free);

std::array<Slot, 32> slots;
std::atomic<int> creations = 0;
std::atomic<bool> creation_ended = false;
std::atomic<pid_t> writing_child = 0;  // 0: none
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<pid_t>::is_always_lock_free);
std::atomic<bool> output_written = false;
static_assert(std::atomic<bool>::is_always_lock_free);

}  // namespace

void UnfinishedFile::note(const std::string& path) noexcept {
  if (path.size() >= PATH_MAX) return;
  for (Slot& slot : slots) {
    State wanted = State::empty;
    if (!slot.state.compare_exchange_strong(wanted, State::being_filled)) continue;
    std::memcpy(slot.path, path.c_str(), path.size() + 1);
    slot.state = State::filled;
    slot_ = static_cast<int>(&slot - slots.data());
    return;
  }
}

UnfinishedFile::~UnfinishedFile() {
  if (slot_ >= 0) slots[static_cast<std::size_t>(slot_)].state = State::empty;
}

FileCreation::FileCreation() noexcept {
  ++creations;
  if (!creation_ended) return;
  --creations;
  for (;;) pause();
}

FileCreation::~FileCreation() {
  --creations;
}

WritingChild::WritingChild(pid_t child) noexcept {
  writing_child = child;
}

WritingChild::~WritingChild() {
  writing_child = 0;
}

void end_file_creation() noexcept {
  creation_ended = true;
  constexpr timespec millisecond = {0, 1'000'000};
  for (int waited = 0; waited < 100 && creations > 0; ++waited) nanosleep(&millisecond, nullptr);
  const pid_t child = writing_child.exchange(0);
  if (child == 0) return;
  kill(child, SIGKILL);
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) continue;
}

void note_output_written() noexcept {
  output_written = true;
}

bool output_was_written() noexcept {
  return output_written;
}

void remove_unfinished_files() noexcept {
  for (const Slot& slot : slots) {
    if (slot.state == State::filled) unlink(slot.path);
  }
}

}  // namespace warpseed
