// Unfinished files that processes left which were killed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpseed {

/// What follows the name of an unfinished picture in those of the files that it is made from. They have no locks: they
/// go with the picture.
constexpr std::string_view scratch_endings[] = {".svg", ".png"};

/// Locks an unfinished file for as long as the descriptor is open, against remove_stale_files() of other processes. Not
/// all file systems can: without a lock the file stays, should this process be killed.
void lock_unfinished_file(int descriptor) noexcept;

/// Removes the unfinished files of output `path` (see unfinished_path()) that no process writes any more, and what they are
/// made from; returns the names. A file goes only if its name has this host and a process that does not exist here, and if
/// its lock can be taken. The host comes first because other hosts' processes are not known here, and because locks of a network file
/// system may hold on one host only; the lock comes last because other containers of this host have processes that are
/// not known here either, but its kernel has their locks. What cannot be decided, locked or removed stays.
std::vector<std::string> remove_stale_files(const std::string& path);

}  // namespace warpseed
