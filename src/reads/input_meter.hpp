// How much of a run's input files has been read, in bytes on the disk.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/byte_source.hpp"

namespace warpseed::reads {

/// Threads: any.
class InputMeter {
 public:
  /// All files of the run; the total is not known if one of them is no regular file (a pipe, standard input).
  explicit InputMeter(std::span<const std::string> paths);

  void add(std::uint64_t bytes) { read_bytes_ += bytes; }

  /// From 0 to 1; always 0 if the total is not known.
  double share() const;

 private:
  std::uint64_t total_bytes_ = 0;  // 0: not known
  std::atomic<std::uint64_t> read_bytes_{0};
};

/// `source`, whose offset in its file (of compressed bytes, if it is compressed) is added to the meter as it proceeds.
std::unique_ptr<ByteSource> metered(std::unique_ptr<ByteSource> source, std::shared_ptr<InputMeter> meter);

}  // namespace warpseed::reads
