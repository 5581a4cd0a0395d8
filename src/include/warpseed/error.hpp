// The library's three exceptions, by how the caller can react.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace warpseed {

/// The caller's data or options are wrong: fix the input, a retry is useless. Programs exit with 2.
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;

  /// Invalid content in a line of a file: "reads.fa:812: letter '*' is not a nucleotide".
  static InputError at(std::string_view path, std::uint64_t line, std::string_view problem) {
    return InputError(std::string(path) + ":" + std::to_string(line) + ": " + std::string(problem));
  }
};

/// The machine failed: a file that cannot be read or written, a full disk, too little memory. Programs exit with 1.
struct IoError : std::runtime_error {
  using std::runtime_error::runtime_error;

  /// "cannot open reads.fq: No such file or directory", from the errno of the failed call.
  static IoError from_errno(std::string_view doing, std::string_view path, int error_number);
};

/// A backend cannot be used or failed: try another one. Programs exit with 1.
struct BackendError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace warpseed
