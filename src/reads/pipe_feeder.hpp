// Bytes for a reader that takes a file descriptor and nothing else.
#pragma once

#include <memory>

#include "core/background_thread.hpp"
#include "core/byte_source.hpp"

namespace warpseed::reads {

/// Reads a source to its end in a background thread and writes it into a pipe. So what is read elsewhere, from standard
/// input as from a file, is decompressed and checked as everything else is.
class PipeFeeder {
 public:
  /// Throws IoError if the system gives no pipe or no thread.
  explicit PipeFeeder(std::unique_ptr<ByteSource> source);
  PipeFeeder(const PipeFeeder&) = delete;
  PipeFeeder& operator=(const PipeFeeder&) = delete;

  /// Waits for the thread: the reader has closed its end, or the source is about to end.
  ~PipeFeeder();

  /// The pipe's end for reading; the caller closes it. Called once.
  int take_descriptor();

  /// Throws what the source has thrown, if the pipe ended for that. Call it when the reader has seen the end; it waits
  /// for the thread, so that a reader that stops earlier closes its end first.
  void check() const { thread_.get(); }

 private:
  /// Both ends of a pipe; closes those that are still open.
  struct Pipe {
    Pipe();
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    ~Pipe();

    int reading = -1, writing = -1;
  };

  void run();

  const std::unique_ptr<ByteSource> source_;  // the thread's
  Pipe pipe_;
  const BackgroundThread<> thread_;  // last: it uses all of the above
};

}  // namespace warpseed::reads
