#include "reads/pipe_feeder.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "core/text_memory.hpp"
#include "warpseed/error.hpp"

namespace warpseed::reads {

namespace {

constexpr int pipe_bytes =
    1 << 20;  // Linux's limit for unprivileged users; fewer system calls than with the default 64 KiB

/// False if the pipe has no reader any more. Throws IoError.
bool write_all(int out, const char* data, std::uint64_t size, const std::string& name) {
  while (size > 0) {
    const ssize_t written = ::write(out, data, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EPIPE) return false;
    if (written < 0) throw IoError::from_errno("pass on", name, errno);
    data += written;
    size -= static_cast<std::uint64_t>(written);
  }
  return true;
}

void close_once(int& descriptor) {
  if (descriptor >= 0) ::close(std::exchange(descriptor, -1));
}

/// A write to a pipe without a reader then fails with EPIPE in this thread; the signal would end the process.
void block_broken_pipe_signal() {
  sigset_t broken_pipe;
  sigemptyset(&broken_pipe);
  sigaddset(&broken_pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &broken_pipe, nullptr);
}

}  // namespace

PipeFeeder::Pipe::Pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw IoError::from_errno("make", "a pipe", errno);
  reading = ends[0], writing = ends[1];
  fcntl(writing, F_SETPIPE_SZ, pipe_bytes);  // only a hint
}

PipeFeeder::Pipe::~Pipe() {
  close_once(reading), close_once(writing);
}

PipeFeeder::PipeFeeder(std::unique_ptr<ByteSource> source, std::string name)
    : source_(std::move(source)), name_(std::move(name)), thread_([this] { run(); }) {}

PipeFeeder::~PipeFeeder() {
  close_once(pipe_.reading);  // before waiting for the thread, which may be writing
}

int PipeFeeder::take_descriptor() {
  return std::exchange(pipe_.reading, -1);
}

void PipeFeeder::run() {
  struct WritingEnd {
    ~WritingEnd() { close_once(descriptor); }
    int& descriptor;
  };
  const WritingEnd closed_at_end{pipe_.writing};
  block_broken_pipe_signal();
  TextMemory block(pipe_bytes);  // of which a short file touches little
  while (const std::uint64_t got = source_->read(block)) {
    if (!write_all(pipe_.writing, block.data(), got, name_)) return;
  }
}

}  // namespace warpseed::reads
