// Writes pieces of a file in a background thread while the next ones are produced.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/background_writer.hpp"
#include "core/output_file.hpp"

namespace warpseed {

/// Threads: one caller at a time, who must not use the file until finish().
class PieceWriter {
 public:
  /// `file` must outlive it. threads: that copy pieces where one falls behind, see OutputFile::write_pieces(). depth: calls
  /// whose pieces may wait to be written.
  explicit PieceWriter(OutputFile& file, int threads = 1, int depth = 1)
      : file_(file),
        threads_(threads),
        writer_(
            [this](Pieces& pieces) { file_.write_pieces(std::span(pieces.texts).first(pieces.count), pieces.threads); },
            depth) {}

  /// Sets text that precedes everything else. It is written only with the first piece or at the end: an error until
  /// then leaves nothing on standard output.
  void begin_with(std::string start) { start_ = std::move(start); }

  /// Starts to write the first `count` pieces in order. `pieces` gets the memory of earlier ones for reuse. Waits where
  /// the pieces of `depth` calls are not written yet, and throws the error of writing them: IoError.
  void write(std::vector<std::string>& pieces, std::size_t count) {
    write_start();
    // One thread writes with less work in all: the others help only where they would wait for it.
    Pieces handed_over = {std::move(pieces), count, writer_.busy() ? threads_ : 1};
    writer_.write(handed_over);
    pieces = std::move(handed_over.texts);
  }

  /// Waits until all is written. Throws the same as write().
  void finish() {
    write_start();
    writer_.finish();
  }

 private:
  struct Pieces {
    std::vector<std::string> texts;
    std::size_t count = 0;
    int threads = 1;
  };

  void write_start() {  // the background thread has nothing to write yet
    if (!start_.empty()) file_.write(std::exchange(start_, {}));
  }

  OutputFile& file_;
  const int threads_;
  std::string start_;
  BackgroundWriter<Pieces> writer_;
};

}  // namespace warpseed
