#include "reads/cram_decoder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <htslib/sam.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "core/child_process.hpp"
#include "reads/pipe_feeder.hpp"
#include "reads/record_reader.hpp"
#include "warpseed/error.hpp"

namespace warpseed::reads {

namespace {

std::string decoder_program;

/// An open file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }

  int get() const { return number_; }
  void close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }

 private:
  int number_;
};

/// A file without a name for the decoder's messages: unlike a pipe it never makes a writer wait.
Descriptor make_message_file() {
  Descriptor file(memfd_create("messages", MFD_CLOEXEC));
  if (file.get() < 0) throw IoError::from_errno("make", "a file in memory", errno);
  return file;
}

pid_t start_decoder(int input, int output, int errors, const std::array<const char*, 5>& arguments) {
  ChildStart child;
  child.copy(input, STDIN_FILENO), child.copy(output, STDOUT_FILENO), child.copy(errors, STDERR_FILENO);
  child.reset_signals();
  return child.start(decoder_program, arguments.data(), decoder_program + " to decode CRAM");
}

/// The process that decodes.
class Decoder {
 public:
  Decoder(int cram, const std::string& name, const std::string& reference_path) : messages_(make_message_file()) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw IoError::from_errno("make", "a pipe", errno);
    output_ = Descriptor(ends[0]);
    const Descriptor writing(ends[1]);
    const char* reference = reference_path.empty() ? nullptr : reference_path.c_str();
    process_ = start_decoder(cram, writing.get(), messages_.get(),
                             {"warpseed", cram_decoder_command, name.c_str(), reference, nullptr});
  }
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
  ~Decoder() {
    if (process_ == 0) return;
    kill(process_, SIGKILL);
    wait();
  }

  /// Fewer bytes than asked for only at the end.
  std::uint64_t read(std::span<char> out) {
    std::uint64_t filled = 0;
    while (filled < out.size()) {
      const ssize_t got = ::read(output_.get(), out.data() + filled, out.size() - filled);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) throw IoError::from_errno("read", "decoded CRAM", errno);
      if (got == 0) break;
      filled += static_cast<std::uint64_t>(got);
    }
    return filled;
  }

  /// The status that waitpid gives; none, with errno, if that fails. The process ends because its output was closed, if it
  /// has not ended.
  std::optional<int> wait() {
    output_.close();
    const pid_t process = std::exchange(process_, 0);
    int status = 0;
    while (waitpid(process, &status, 0) < 0) {
      if (errno != EINTR) return std::nullopt;
    }
    return status;
  }

  /// What the process wrote to standard error, without the name that begins the line.
  std::string message() const {
    char text[4096];
    const ssize_t size = pread(messages_.get(), text, sizeof text, 0);
    std::string_view line(text, size > 0 ? static_cast<std::size_t>(size) : 0);
    const std::string start = fmt::format("warpseed {}: ", cram_decoder_command);
    if (line.starts_with(start)) line.remove_prefix(start.size());
    return std::string(line.substr(0, line.find('\n')));
  }

 private:
  Descriptor messages_, output_;
  pid_t process_ = 0;  // 0: none, or one that was waited for
};

class DecodedCram final : public ByteSource {
 public:
  DecodedCram(std::unique_ptr<ByteSource> cram, const std::string& name, const std::string& reference_path)
      : name_(name),
        feeder_(std::move(cram), name),
        input_(feeder_.take_descriptor()),
        decoder_(input_.get(), name, reference_path) {
    input_.close();
  }

  std::uint64_t read(std::span<char> out) override {
    if (ended_) return 0;
    const std::uint64_t got = decoder_.read(out);
    if (got < out.size()) end();
    return got;
  }

 private:
  /// Throws what was wrong. An error of the file's source is the cause of what the decoder reports.
  void end() {
    ended_ = true;
    const std::optional<int> waited = decoder_.wait();
    if (!waited) throw IoError::from_errno("wait for", "the decoder of " + name_, errno);
    const int status = *waited;
    feeder_.check();
    if (WIFSIGNALED(status)) fail_by_signal(WTERMSIG(status));
    if (WEXITSTATUS(status) == 0) return;
    const std::string message = decoder_.message();
    if (message.empty()) {
      throw IoError(fmt::format("{}: the decoder of CRAM, {}, ended with status {}", name_, decoder_program,
                                WEXITSTATUS(status)));
    }
    if (WEXITSTATUS(status) == 2) throw InputError(message);
    throw IoError(message);
  }

  [[noreturn]] void fail_by_signal(int signal) const {
    if (signal == SIGKILL) {
      throw IoError(
          fmt::format("{}: the process that decodes CRAM was killed, perhaps because memory was short; see that there "
                      "is enough, or "
                      "have samtools make BAM of the file",
                      name_));
    }
    throw InputError(fmt::format(
        "{}: damaged CRAM: htslib {} ended by signal {} ({}) on it; copy the file again, or have a current samtools "
        "make BAM of it",
        name_, hts_version(), signal, strsignal(signal)));
  }

  const std::string name_;
  PipeFeeder feeder_;
  Descriptor input_;  // the decoder's
  Decoder decoder_;   // after the feeder, which waits until nobody reads from it
  bool ended_ = false;
};

using BamFile = std::unique_ptr<htsFile, int (*)(htsFile*)>;

[[noreturn]] void fail_to_write() {
  throw IoError::from_errno("write", "decoded CRAM", errno != 0 ? errno : EIO);
}

}  // namespace

void set_cram_decoder(std::string program) {
  decoder_program = std::move(program);
}

bool has_cram_decoder() {
  return !decoder_program.empty();
}

std::unique_ptr<ByteSource> decoded_cram(std::unique_ptr<ByteSource> cram, const std::string& name,
                                         const std::string& reference_path) {
  return std::make_unique<DecodedCram>(std::move(cram), name, reference_path);
}

void decode_cram(const std::string& name, const std::string& reference_path) {
  RecordReader reader(open_bytes("-"), name, reference_path);
  errno = 0;
  BamFile out(hts_open("-", "wb0"), hts_close);  // not "wbu", on which htslib 1.16 crashes
  if (!out || sam_hdr_write(out.get(), reader.header()) != 0) fail_to_write();
  while (reader.next()) {
    if (sam_write1(out.get(), reader.header(), reader.current()) < 0) fail_to_write();
  }
  errno = 0;
  if (hts_close(out.release()) != 0) fail_to_write();
}

}  // namespace warpseed::reads
