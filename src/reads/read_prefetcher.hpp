// One file of reads, parsed by a thread of its own ahead of who takes them.
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

namespace warpseed::reads {

/// Reads that followed each other in a file.
struct ReadPortion {
  ReadBatch reads;
  std::vector<std::uint64_t> lines;  // [reads]: where each one's record begins
  std::exception_ptr error;          // why there are no more; null at the end of the file, and where more follow

  void clear();
};

/// Threads: one taker at a time.
class ReadPrefetcher {
 public:
  explicit ReadPrefetcher(ReadParser parser) : parser_(std::move(parser)), path_(parser_.path()) {}

  /// Replaces `portion` by the next `count` reads. Fewer only at the end or before something wrong, which is then in
  /// portion.error. Cheap when calls ask for as many as those before, which took a multiple of that: memory changes
  /// hands, the reads stay where they are.
  void take(std::uint64_t count, ReadPortion& portion);

  const std::string& path() const { return path_; }

 private:
  bool make(ReadPortion& portion);

  ReadParser parser_;  // the thread's, once there is one
  const std::string path_;
  std::atomic<std::uint64_t> reads_a_portion_{0};  // what the last call asked for
  std::uint64_t made_ = 0;                         // reads, by the thread
  std::uint64_t bytes_a_read_ = 0;                 // of the portion before, and some more
  bool ended_ = false;                             // the thread has made the last one
  ReadPortion current_;                            // of which used_ reads have been taken
  std::uint64_t used_ = 0;
  std::optional<Prefetcher<ReadPortion>> portions_;  // last: its thread uses the parser
};

}  // namespace warpseed::reads
