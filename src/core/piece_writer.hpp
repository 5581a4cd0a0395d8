// Writes pieces of a file in a background thread while the next ones are produced, or by many threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
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
  /// `file` must outlive it. threads: of the caller's arena; four or more fill room where the background thread falls
  /// behind, see write_or_reserve(). depth: calls whose pieces may wait to be written.
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
    const std::uint64_t bytes = bytes_of(std::span(pieces).first(count));
    end_ += bytes;
    Pieces handed_over = {std::move(pieces), count, std::exchange(reserved_bytes_, 0)};
    writer_.write(handed_over);
    pieces = std::move(handed_over.texts);
  }

  /// The same, or, where the background thread has fallen behind and many threads need less time than one, room for the
  /// pieces, which the caller fills before finish(), by any thread and while other pieces follow.
  std::optional<ReservedRange> write_or_reserve(std::vector<std::string>& pieces, std::size_t count) {
    write_start();
    const std::uint64_t bytes = bytes_of(std::span(pieces).first(count));
    std::optional<ReservedRange> room;
    if (writer_.busy() && is_shared(bytes)) room = file_.reserve(end_, bytes);
    if (!room) return write(pieces, count), std::nullopt;
    end_ += bytes, reserved_bytes_ += bytes;
    return room;
  }

  /// Waits until all is written. Throws the same as write().
  void finish() {
    write_start();
    writer_.finish();
    if (reserved_bytes_ > 0) file_.skip(std::exchange(reserved_bytes_, 0));
  }

 private:
  struct Pieces {
    std::vector<std::string> texts;
    std::size_t count = 0;
    std::uint64_t reserved_before = 0;  // bytes
  };

  static std::uint64_t bytes_of(std::span<const std::string> pieces) {
    std::uint64_t bytes = 0;
    for (const std::string& piece : pieces) bytes += piece.size();
    return bytes;
  }

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
    if (pieces.reserved_before > 0) file_.skip(pieces.reserved_before);
    for (const std::string& piece : std::span(pieces.texts).first(pieces.count)) file_.write(piece);
  }

  OutputFile& file_;
  std::string start_;
  std::uint64_t end_;                 // of the file, once all is written
  std::uint64_t reserved_bytes_ = 0;  // since the last write()
  const int threads_;
  BackgroundWriter<Pieces> writer_;
};

}  // namespace warpseed
