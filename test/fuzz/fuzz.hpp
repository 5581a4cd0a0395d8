// Shared by the fuzz targets: inputs as files and as byte sources, choices that depend on the input, what is a finding.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "core/byte_source.hpp"
#include "warpseed/error.hpp"

/// What a target defines: examines one input, and ends the process if it finds an error. Returns 0.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace warpseed::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Ends the process, which makes the current input a finding.
[[noreturn]] inline void fail(std::string_view what, std::string_view detail = {}) {
  std::fprintf(stderr, "FINDING: %.*s%s%.*s\n", static_cast<int>(what.size()), what.data(), detail.empty() ? "" : ": ",
               static_cast<int>(detail.size()), detail.data());
  std::abort();
}

inline void require(bool condition, std::string_view what, std::string_view detail = {}) {
  if (!condition) fail(what, detail);
}

/// A file in memory. Its path can be opened any number of times, each time from its beginning.
class InputFile {
 public:
  explicit InputFile(std::string_view content) : descriptor_(memfd_create("input", MFD_CLOEXEC)) {
    if (descriptor_ < 0) throw std::runtime_error("cannot make a file in memory");
    while (!content.empty()) {
      const ssize_t written = ::write(descriptor_, content.data(), content.size());
      if (written < 0) throw std::runtime_error("cannot write a file in memory");
      content.remove_prefix(static_cast<std::size_t>(written));
    }
    path_ = "/proc/self/fd/" + std::to_string(descriptor_);
  }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile() { ::close(descriptor_); }

  const std::string& path() const { return path_; }

 private:
  int descriptor_;
  std::string path_;
};

/// The bytes of an input, as if they were read from a plain file. They must outlive it.
class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string_view bytes) : bytes_(bytes), size_(bytes.size()) {}

  std::uint64_t read(std::span<char> out) override {
    const std::uint64_t some = std::min(out.size(), bytes_.size());
    std::copy_n(bytes_.data(), some, out.data());
    bytes_.remove_prefix(some);
    return some;
  }

  std::uint64_t file_size() const override { return size_; }

 private:
  std::string_view bytes_;
  std::uint64_t size_;
};

/// Numbers that depend on the input alone: options come from them, and not from bytes of the input, so that each input is a
/// file that the program itself reads.
class Choices {
 public:
  explicit Choices(std::string_view input) {
    for (const char byte : input) state_ = (state_ ^ static_cast<unsigned char>(byte)) * 0x100000001B3;  // FNV-1a
  }

  /// The next number, less than `count`, which is at least 1.
  std::uint64_t below(std::uint64_t count) {
    state_ = state_ * 6364136223846793005 + 1442695040888963407;  // Knuth's linear congruential generator
    return (state_ >> 33) % count;
  }

 private:
  std::uint64_t state_ = 0xCBF29CE484222325;
};

/// Whether `work` ends without an error. An InputError must name the input; that and an IoError are answers, all else that
/// is thrown is a finding.
template <class Work>
bool accepts(std::string_view input_name, const Work& work) {
  try {
    work();
    return true;
  } catch (const InputError& error) {
    require(std::string_view(error.what()).find(input_name) != std::string_view::npos,
            "a message that does not name the input", error.what());
  } catch (const IoError&) {
  }
  return false;
}

}  // namespace warpseed::fuzz
