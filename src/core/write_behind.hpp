// Pieces of a file, written by a thread of its own while the next ones are made.
#pragma once

#include <cstddef>
#include <future>
#include <string>
#include <utility>
#include <vector>

#include "core/output_file.hpp"

namespace warpseed {

/// Threads: one caller at a time, who leaves the file alone until finish().
class WriteBehind {
 public:
  /// `file` must outlive it.
  explicit WriteBehind(OutputFile& file) : file_(file) {}

  /// What is written before all else, but not before there is something else or the end: what is wrong until then
  /// leaves nothing behind on standard output.
  void begin_with(std::string start) { start_ = std::move(start); }

  /// Begins to write the first `count` pieces one behind the other. `pieces` gets the memory of earlier ones, to be
  /// filled anew. Waits for what was handed over before, and throws what writing that met: IoError.
  void write(std::vector<std::string>& pieces, std::size_t count) {
    if (!start_.empty()) write_start();
    wait();
    std::swap(pieces, pieces_);
    writing_ = std::async(std::launch::async, [this, count] {
      for (std::size_t i = 0; i < count; ++i) file_.write(pieces_[i]);
    });
  }

  /// Waits until all is written. Throws as write().
  void finish() {
    if (!start_.empty()) write_start();
    wait();
  }

 private:
  void write_start() { file_.write(std::exchange(start_, {})); }  // nothing else has been handed over
  void wait() {
    if (writing_.valid()) writing_.get();
  }

  OutputFile& file_;
  std::string start_;
  std::vector<std::string> pieces_;
  std::future<void> writing_;  // last: it waits when it goes, and uses the above
};

}  // namespace warpseed
