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

  /// Begins to write the first `count` pieces one behind the other. `pieces` gets the memory of earlier ones, to be
  /// filled anew. Waits for what was handed over before, and throws what writing that met: IoError.
  void write(std::vector<std::string>& pieces, std::size_t count) {
    finish();
    std::swap(pieces, pieces_);
    writing_ = std::async(std::launch::async, [this, count] {
      for (std::size_t i = 0; i < count; ++i) file_.write(pieces_[i]);
    });
  }

  /// The same of one piece; nothing to write is nothing to wait for.
  void write(std::string piece) {
    if (piece.empty()) return;
    std::vector<std::string> pieces;
    pieces.push_back(std::move(piece));
    write(pieces, 1);
  }

  /// Waits until all is written. Throws as write().
  void finish() {
    if (writing_.valid()) writing_.get();
  }

 private:
  OutputFile& file_;
  std::vector<std::string> pieces_;
  std::future<void> writing_;  // last: it waits when it goes, and uses the above
};

}  // namespace warpseed
