// A file that gets its name only when it is complete.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/reserved_range.hpp"
#include "core/unfinished_files.hpp"

namespace warpseed {

/// The name of an unfinished output until commit_file() renames it: PATH.unfinished.HOST.PROCESS, in the same folder as
/// the final one. See stale_files.hpp for files that are left.
std::string unfinished_path(const std::string& path);

/// The same without the process: what all unfinished files of `path` of this host begin with.
std::string unfinished_prefix(const std::string& path);

/// Syncs `unfinished` to disk, renames it to `path` and syncs the folder, so that file and name survive a crash.
/// Throws IoError; the unfinished file is then removed, unless only syncing the folder failed.
void commit_file(const std::string& unfinished, const std::string& path);

/// Whether `path` is "-" or the file of standard output, whatever its name (/dev/stdout).
bool is_standard_output(const std::string& path);

/// Whether `path` has no content to protect and is written directly: standard output, and anything but a regular file
/// (a pipe, /dev/full).
bool is_written_in_place(const std::string& path);

/// Removes an unfinished file if its writer is destroyed before commit(); see remove_unfinished_files() for signals.
/// For a symbolic link, writes its target.
class PendingFile {
 public:
  /// Throws InputError if `path` is empty, IoError if the folder does not exist or cannot be written, `path` is a
  /// folder, or standard output is closed.
  explicit PendingFile(std::string path);
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;
  ~PendingFile();

  /// Where to write until commit(): the unfinished name, "-" for standard output, or the path if written in place.
  const std::string& writing_path() const { return writing_path_; }
  const std::string& path() const { return path_; }  // as given
  bool in_place() const { return final_path_.empty(); }

  /// Renames the file to its final name; the writer must have closed it.
  void commit();

 private:
  void unlock();

  std::string path_;
  std::string final_path_;  // the name on commit(); empty when written in place
  std::string writing_path_;
  bool committed_ = false;
  int lock_ = -1;  // a descriptor that holds the unfinished file's lock
  UnfinishedFile unfinished_;
};

/// Writes bytes to a pending file or standard output, small pieces through a buffer. Every failed write throws IoError
/// with the path.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);  // "-" is standard output
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  void write(std::string_view bytes);
  void write(const void* data, std::uint64_t bytes) { write({static_cast<const char*>(data), bytes}); }

  /// Room for bytes from `begin` on, which any threads fill, while another one writes what precedes them; that one must
  /// skip() them. None where that is not possible, see ReservedRange::make(). Threads: one at a time, also during write().
  std::optional<ReservedRange> reserve(std::uint64_t begin, std::uint64_t bytes);

  /// Goes on after bytes that were reserved.
  void skip(std::uint64_t bytes);

  std::uint64_t written() const { return written_; }
  const PendingFile& pending() const { return pending_; }

  /// Writes the buffered bytes. Flush all outputs that belong together before any commit(): a full disk leaves none.
  void flush();

  /// Flushes, closes and renames. Without it the destructor removes the file.
  void commit();

 private:
  void write_at_once(std::string_view bytes);
  [[noreturn]] void fail(int error_number) const;

  PendingFile pending_;
  int fd_ = -1;
  std::string buffer_;
  std::uint64_t written_ = 0;
  std::atomic<bool> reserves_{false};  // its file system lets several threads write, as far as is known
};

}  // namespace warpseed
