// Parses one file of reads in a background thread, ahead of its consumer.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "core/prefetcher.hpp"
#include "reads/read_batch.hpp"
#include "reads/read_parser.hpp"
#include "reads/text_limits.hpp"

namespace warpseed::reads {

/// Threads: one consumer at a time.
class ReadPrefetcher {
 public:
  static constexpr std::size_t portions_ahead = 2;  // one to be taken while the next is parsed

  /// limits: see take().
  explicit ReadPrefetcher(ReadParser parser, TextLimits limits = {})
      : parser_(std::move(parser)), path_(parser_.path()), limits_(limits) {}

  /// Replaces `portion` with the next `count` reads. Fewer if more would exceed the limits of its text, at the end, and
  /// before an error, which is then in portion.error. Cheap once calls ask for the same number: the memory is swapped,
  /// the reads are not copied.
  void take(std::uint64_t count, ReadPortion& portion);

  const std::string& path() const { return path_; }

  /// Of the next read, once take() has been called.
  FilePosition position() const;

 private:
  bool make(ReadPortion& portion);
  void gather(std::uint64_t count, ReadPortion& portion);

  ReadParser parser_;  // the thread's, once it runs
  const std::string path_;
  const TextLimits limits_;
  std::atomic<std::uint64_t> reads_per_portion_{0};  // the last call's count
  std::atomic<std::uint64_t> end_of_call_{0};        // reads taken with it, if it returns its count
  std::uint64_t taken_ = 0;                          // reads returned so far
  std::uint64_t made_ = 0;                           // reads parsed by the thread
  ReadPortion current_;                              // used_ of its reads have been taken
  std::uint64_t used_ = 0;
  FilePosition end_;                                 // of the portions so far
  std::optional<Prefetcher<ReadPortion>> portions_;  // last: its thread uses the parser
};

}  // namespace warpseed::reads
