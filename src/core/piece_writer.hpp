// Writes pieces of a file in a background thread while the next ones are produced.
#pragma once

#include <cstddef>
#include <cstdint>
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
  /// `file` must outlive it. threads: of the caller's arena; four or more copy pieces of some megabytes where the
  /// background thread falls behind, see OutputFile::copy_ahead(). depth: calls whose pieces may wait to be written.
  explicit PieceWriter(OutputFile& file, int threads = 1, int depth = 1)
      : file_(file),
        end_(file.written()),
        threads_(threads),
        writer_([this](Pieces& pieces) { write_next(pieces); }, depth) {}

  /// Sets text that precedes everything else. It is written only with the first piece or at the end: an error until
  /// then leaves nothing on standard output.
  void begin_with(std::string start) { start_ = std::move(start); }

  /// Starts to write the first `count` pieces in order. `pieces` gets the memory of earlier ones for reuse. Waits where
  /// the pieces of `depth` calls are not written yet, and throws the error of writing them: IoError.
  void write(std::vector<std::string>& pieces, std::size_t count) {
    write_start();
    Pieces handed_over = {std::move(pieces), count, 0};
    std::uint64_t bytes = 0;
    for (const std::string& piece : handed_over.to_write()) bytes += piece.size();
    if (writer_.busy() && is_shared(bytes) && file_.copy_ahead(handed_over.to_write(), end_))
      handed_over.count = 0, handed_over.copied_bytes = bytes;
    end_ += bytes;
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
    std::uint64_t copied_bytes = 0;  // of pieces that are in the file already

    std::span<const std::string> to_write() const { return std::span(texts).first(count); }
  };

  /// Whether many threads write so many bytes in less time than one.
  bool is_shared(std::uint64_t bytes) const {
    constexpr std::uint64_t least_bytes = 4 << 20;
    constexpr int least_threads = 4;  // with fewer, reserving and mapping cost what they save
    return threads_ >= least_threads && bytes >= least_bytes;
  }

  void write_start() {  // the background thread has nothing to write yet
    if (start_.empty()) return;
    end_ += start_.size();
    file_.write(std::exchange(start_, {}));
  }

  void write_next(const Pieces& pieces) {
    for (const std::string& piece : pieces.to_write()) file_.write(piece);
    if (pieces.copied_bytes > 0) file_.skip(pieces.copied_bytes);
  }

  OutputFile& file_;
  std::string start_;
  std::uint64_t end_;  // of the file, once all is written
  const int threads_;
  BackgroundWriter<Pieces> writer_;
};

}  // namespace warpseed
