// Writes pieces of a file in a background thread while the next ones are produced.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/background_writer.hpp"
#include "core/output_file.hpp"

namespace warpseed {

/// Threads: one caller at a time, who must not use the file until finish().
class PieceWriter {
 public:
  /// `file` must outlive it.
  explicit PieceWriter(OutputFile& file)
      : file_(file), writer_([this](Pieces& pieces) {
          for (std::size_t i = 0; i < pieces.count; ++i) file_.write(pieces.texts[i]);
        }) {}

  /// Sets text that precedes everything else. It is written only with the first piece or at the end: an error until
  /// then leaves nothing on standard output.
  void begin_with(std::string start) { start_ = std::move(start); }

  /// Starts to write the first `count` pieces in order. `pieces` gets the memory of earlier ones for reuse. Waits for
  /// the pieces of the previous call, and throws the error of writing them: IoError.
  void write(std::vector<std::string>& pieces, std::size_t count) {
    write_start();
    Pieces handed_over = {std::move(pieces), count};
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
  };

  void write_start() {  // the background thread has nothing to write yet
    if (!start_.empty()) file_.write(std::exchange(start_, {}));
  }

  OutputFile& file_;
  std::string start_;
  BackgroundWriter<Pieces> writer_;
};

}  // namespace warpseed
