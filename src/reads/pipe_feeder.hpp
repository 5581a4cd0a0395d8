// Bytes for a reader that takes a file descriptor and nothing else.
#pragma once

#include <exception>
#include <memory>
#include <thread>

#include "core/byte_source.hpp"

namespace warpseed::reads {

/// Reads a source to its end in a thread of its own and writes it into a pipe. So what is read elsewhere, from standard
/// input as from a file, is decompressed and checked as everything else is.
class PipeFeeder {
 public:
  /// Throws IoError if the system gives no pipe.
  explicit PipeFeeder(std::unique_ptr<ByteSource> source);
  PipeFeeder(const PipeFeeder&) = delete;
  PipeFeeder& operator=(const PipeFeeder&) = delete;

  /// The reader has closed its end, or the source is about to end: waits for the thread.
  ~PipeFeeder();

  /// The pipe's end for reading; the caller closes it. Called once.
  int take_descriptor();

  /// Throws what the source has thrown, if the pipe ended for that. Call it when the reader has seen the end; it waits
  /// for the thread, so that a reader that stops earlier closes its end first.
  void check();

 private:
  void run(int out) noexcept;

  std::unique_ptr<ByteSource> source_;
  int descriptor_ = -1;
  std::exception_ptr error_;
  std::thread thread_;
};

}  // namespace warpseed::reads
