// The outputs of simulated pairs: files, named pipes or standard output, each written by a thread of its own.
#pragma once

#include <fcntl.h>
#include <tbb/task_arena.h>
#include <unistd.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/background_writer.hpp"
#include "core/output_file.hpp"

/// One output. A pipe is opened and closed by its thread, independent of the other mate's: a reader may look into one
/// before it opens the other, and may want its end first. A file is opened at once and gets its name on commit().
class MateOutput {
 public:
  /// threads: that copy blocks into a file.
  MateOutput(std::string path, int threads)
      : path_(std::move(path)), writer_([this, threads](Blocks& blocks) { consume(blocks, threads); }) {
    if (!warpseed::is_written_in_place(path_)) open_file();
  }

  /// Writes the first `count` texts while the caller makes the next ones; waits for those before. last: none follow.
  void write(std::vector<std::string>& texts, std::size_t count, bool last) {
    Blocks blocks = {std::move(texts), count, last};
    writer_.write(blocks);
    texts = std::move(blocks.texts);
  }

  /// Waits until all is written. Throws IoError, as the others do.
  void finish() {
    writer_.finish();
    if (file_) file_->flush();
  }

  void commit() {
    if (file_) file_->commit();
  }

 private:
  struct Blocks {
    std::vector<std::string> texts;
    std::size_t count = 0;
    bool last = false;
  };

  void open_file() {
    file_ = std::make_unique<warpseed::OutputFile>(path_);
    constexpr int pipe_bytes = 1 << 20;  // what any process may ask for; with 64 KiB both sides wait more often
    const int fd = warpseed::is_standard_output(path_) ? dup(STDOUT_FILENO)
                                                       : open(path_.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return;
    fcntl(fd, F_SETPIPE_SZ, pipe_bytes);  // only a hint, and nothing where it is no pipe
    close(fd);
  }

  void consume(Blocks& blocks, int threads) {
    if (!file_) open_file();
    write(std::span(blocks.texts).first(blocks.count), threads);
    if (!blocks.last || !file_->pending().in_place()) return;
    file_->commit();
    file_.reset();
  }

  /// By all threads where the file system lets them.
  void write(std::span<const std::string> texts, int threads) {
    std::uint64_t bytes = 0;
    for (const std::string& text : texts) bytes += text.size();
    if (const auto room = file_->reserve(file_->written(), bytes)) {
      tbb::task_arena arena(threads);
      arena.execute([&] { room->fill(texts); });
      file_->skip(bytes);
    } else {
      for (const std::string& text : texts) file_->write(text);
    }
  }

  const std::string path_;
  std::unique_ptr<warpseed::OutputFile> file_;
  warpseed::BackgroundWriter<Blocks> writer_;  // last: it uses the others
};

/// Both mates' outputs, or one with the mates interleaved.
class PairOutput {
 public:
  /// second: empty for interleaved mates. Throws IoError, at once for a file that cannot be written.
  PairOutput(const std::string& first, const std::string& second, int threads) {
    outputs_[0] = std::make_unique<MateOutput>(first, threads);
    if (!second.empty()) outputs_[1] = std::make_unique<MateOutput>(second, threads);
  }

  /// The text that gets a mate's records of a block of pairs.
  std::string& text(unsigned mate, std::size_t block) { return texts_[outputs_[1] ? mate : 0][block]; }

  /// Empties the texts of so many blocks.
  void begin(std::size_t blocks) {
    for (std::vector<std::string>& texts : texts_) {
      if (texts.size() < blocks) texts.resize(blocks);
      for (std::string& text : texts) text.clear();
    }
  }

  void write(std::size_t blocks, bool last) {
    for (const std::vector<std::string>& texts : texts_) {
      for (const std::string& text : texts) bytes_ += text.size();
    }
    for (unsigned mate = 0; mate < 2; ++mate) {
      if (outputs_[mate]) outputs_[mate]->write(texts_[mate], blocks, last);
    }
  }

  /// Files get their names once all is written.
  void commit() {
    for (auto& output : outputs_) {
      if (output) output->finish();
    }
    for (auto& output : outputs_) {
      if (output) output->commit();
    }
  }

  /// Bytes of the texts so far.
  std::uint64_t bytes() const { return bytes_; }

 private:
  std::unique_ptr<MateOutput> outputs_[2];
  std::uint64_t bytes_ = 0;
  std::vector<std::string> texts_[2];
};
