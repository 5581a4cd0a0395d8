// Feeds a reader that accepts only a file descriptor.
#pragma once

#include <memory>
#include <string>

#include "core/background_thread.hpp"
#include "core/byte_source.hpp"

namespace warpseed::reads {

/// A background thread reads a source to its end and writes it into a pipe. Files and standard input are thus
/// decompressed and checked like all other input.
class PipeFeeder {
 public:
  /// name: of the source, for messages. Throws IoError if no pipe or thread can be created.
  PipeFeeder(std::unique_ptr<ByteSource> source, std::string name);
  PipeFeeder(const PipeFeeder&) = delete;
  PipeFeeder& operator=(const PipeFeeder&) = delete;

  /// Waits for the thread, which ends because the reader has closed its end or because the source ends.
  ~PipeFeeder();

  /// The pipe's read end; the caller closes it. Call it once.
  int take_descriptor();

  /// Throws the source's error, or that of the pipe, if one ended it. Call it after the reader has seen the end. It waits
  /// for the thread, so a reader that stops earlier must close its end first.
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
  const std::string name_;
  Pipe pipe_;
  const BackgroundThread<> thread_;  // last: it uses all of the above
};

}  // namespace warpseed::reads
