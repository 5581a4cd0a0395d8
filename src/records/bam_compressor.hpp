// Compresses pieces of BAM to BGZF blocks. Private to the module.
#pragma once

#include <tbb/enumerable_thread_specific.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/backend.hpp"
#include "core/deflate_batch.hpp"
#include "core/deflate_encoder.hpp"
#include "records/bam_fields.hpp"

namespace warpseed::records {

/// Where the bytes of pieces come from.
struct BamPieces {
  std::vector<std::uint64_t> bytes;  // of each piece

  /// Writes piece i, and appends its records' fields. A header has none. Called by start() only. Threads: any.
  std::function<void(std::size_t i, char* out, std::vector<BamField>& fields)> put;
};

/// Level -1 is our encoder, on the CPU or, many blocks at a time, on a device, with the same bytes; others are htslib's.
/// A device deflates the last pieces of a call while the caller prepares the next one.
/// Threads: one caller at a time. After an exception it can only be destroyed.
class BamCompressor {
 public:
  /// backend: where our encoder runs; asked for with the first piece that is worth it. None: the CPU.
  BamCompressor(int level, int threads, std::function<Backend()> backend);
  ~BamCompressor();

  /// Compresses pieces. When it returns, those of earlier calls are complete, and its own unless in_flight(): then they
  /// are after finish() or the next start(). Until then their strings must remain where they are; `pieces` need not.
  /// packed: [pieces] or more, whose memory is reused. Throws BackendError, also that of an earlier call's pieces.
  void start(const BamPieces& pieces, std::span<std::string> packed);

  /// Whether a device still has pieces of the last start().
  bool in_flight() const;

  /// Completes all pieces. Throws BackendError.
  void finish();

  /// The empty block that ends a file.
  std::string end_of_file() const;

 private:
  struct Scratch;
  class Slice;

  void ask_for_devices();
  void compress_on_cpu(const BamPieces& pieces, std::size_t begin, std::size_t end, std::span<std::string> packed);
  void start_on_devices(const BamPieces& pieces, std::span<std::string> packed);
  template <class Work>
  void for_slices(const Work& work);

  const int level_, threads_;
  std::function<Backend()> backend_;  // none: not to be asked, or asked before
  tbb::enumerable_thread_specific<Scratch> scratch_;
  std::vector<std::unique_ptr<Slice>> slices_;  // none: the CPU
  std::size_t next_ = 0;                        // the slice whose turn it is: of those in flight, the oldest
};

}  // namespace warpseed::records
