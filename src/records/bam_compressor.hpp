// Compresses pieces of BAM to BGZF blocks. Private to the module.
#pragma once

#include <tbb/enumerable_thread_specific.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "core/backend.hpp"
#include "core/blocking_queue.hpp"
#include "core/deflate_batch.hpp"
#include "core/deflate_encoder.hpp"
#include "records/bam_fields.hpp"

namespace warpseed::records {

/// Where the bytes of pieces come from.
struct BamPieces {
  std::span<const std::uint64_t> bytes;  // of each piece

  /// Writes piece i, and appends its records' fields. A header has none. Threads: any.
  std::function<void(std::size_t i, char* out, std::vector<BamField>& fields)> put;
};

/// Level -1 is our encoder, on the CPU or, many blocks at a time, on a device, with the same bytes; others are htslib's.
/// Threads: any. After an exception it can only be destroyed.
class BamCompressor {
 public:
  /// backend: where our encoder runs; asked for once, when it is needed. None: the CPU.
  BamCompressor(int level, std::function<Backend()> backend);
  ~BamCompressor();

  /// Compresses pieces, by the threads of the caller's arena or on devices, for which it waits: with calls by some threads
  /// at the same time these have work all the time. packed: [pieces] or more, whose memory is reused. Throws BackendError.
  void compress(const BamPieces& pieces, std::span<std::string> packed);

  /// Whether there are devices that compress large calls.
  bool has_devices();

  /// The empty block that ends a file.
  std::string end_of_file() const;

 private:
  struct Scratch;
  class Slice;
  class TakenSlice;

  void ask_for_devices();
  void compress_on_cpu(const BamPieces& pieces, std::size_t begin, std::size_t end, std::span<std::string> packed);
  void compress_on_devices(const BamPieces& pieces, std::span<std::string> packed);

  const int level_;
  const std::function<Backend()> backend_;
  std::once_flag asked_;
  tbb::enumerable_thread_specific<Scratch> scratch_;
  std::vector<std::unique_ptr<Slice>> slices_;  // none: the CPU
  BlockingQueue<Slice*> free_;                  // slices without work
};

}  // namespace warpseed::records
