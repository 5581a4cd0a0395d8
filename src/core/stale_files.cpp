#include "core/stale_files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <filesystem>
#include <memory>
#include <string_view>

#include "core/file_identity.hpp"
#include "core/output_file.hpp"

namespace warpseed {

namespace {

namespace fs = std::filesystem;

/// The process by which `name` ends after `prefix`; 0 if the name is another.
pid_t process_of(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return 0;
  pid_t process = 0;
  const char* const end = name.data() + name.size();
  const auto parsed = std::from_chars(name.data() + prefix.size(), end, process);
  return parsed.ec == std::errc{} && parsed.ptr == end && process > 0 ? process : 0;
}

bool is_gone(pid_t process) {
  return process != getpid() && kill(process, 0) != 0 && errno == ESRCH;
}

/// Removes the file if it is a regular one that is not locked.
bool remove_unlocked(const std::string& path) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return false;
  struct stat opened = {};
  const bool removed = fstat(descriptor, &opened) == 0 && S_ISREG(opened.st_mode) &&
                       flock(descriptor, LOCK_EX | LOCK_NB) == 0 && unlink(path.c_str()) == 0;
  close(descriptor);
  return removed;
}

}  // namespace

void lock_unfinished_file(int descriptor) noexcept {
  flock(descriptor, LOCK_EX | LOCK_NB);
}

std::vector<std::string> remove_stale_files(const std::string& path) {
  std::vector<std::string> removed;
  if (path.empty() || is_written_in_place(path)) return removed;
  const fs::path target = link_target(path);  // empty for a loop of links
  if (target.empty()) return removed;
  const fs::path folder = target.has_parent_path() ? target.parent_path() : ".";
  const std::string prefix = unfinished_prefix(target.filename().string());
  // Not std::filesystem's iterator: it ends the process where there is no memory.
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(opendir(folder.c_str()), closedir);
  while (const dirent* entry = entries ? readdir(entries.get()) : nullptr) {
    const pid_t process = process_of(entry->d_name, prefix);
    if (process == 0 || !is_gone(process)) continue;
    const std::string name = (target.parent_path() / entry->d_name).string();
    if (!remove_unlocked(name)) continue;
    removed.push_back(name);
    for (const std::string_view ending : scratch_endings) {
      const std::string scratch = name + std::string(ending);
      if (unlink(scratch.c_str()) == 0) removed.push_back(scratch);
    }
  }
  return removed;
}

}  // namespace warpseed
