#include "reads/pipe_feeder.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <utility>
#include <vector>

#include "core/error.hpp"

namespace warpseed::reads {

namespace {

constexpr int pipe_bytes = 1 << 20;  // what Linux gives to everybody; fewer turns than the usual 64 KiB

/// False when nobody reads any more.
bool write_all(int out, const char* data, std::uint64_t size) {
  while (size > 0) {
    const ssize_t written = ::write(out, data, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    data += written;
    size -= static_cast<std::uint64_t>(written);
  }
  return true;
}

}  // namespace

PipeFeeder::PipeFeeder(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw IoError::from_errno("make", "a pipe", errno);
  fcntl(ends[1], F_SETPIPE_SZ, pipe_bytes);  // only a hint
  descriptor_ = ends[0];
  thread_ = std::thread([this, out = ends[1]] { run(out); });
}

PipeFeeder::~PipeFeeder() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (thread_.joinable()) thread_.join();
}

int PipeFeeder::take_descriptor() {
  return std::exchange(descriptor_, -1);
}

void PipeFeeder::check() {
  if (thread_.joinable()) thread_.join();
  if (error_) std::rethrow_exception(error_);
}

void PipeFeeder::run(int out) noexcept {
  // A reader that has gone is told by EPIPE; the signal would end the program.
  sigset_t broken_pipe;
  sigemptyset(&broken_pipe);
  sigaddset(&broken_pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &broken_pipe, nullptr);
  try {
    std::vector<char> block(pipe_bytes);
    while (const std::uint64_t got = source_->read(block)) {
      if (!write_all(out, block.data(), got)) break;
    }
  } catch (...) {
    error_ = std::current_exception();
  }
  ::close(out);
}

}  // namespace warpseed::reads
