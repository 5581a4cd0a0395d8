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

  /// Writes piece i, and appends its records' fields. A header has none. Threads: any.
  std::function<void(std::size_t i, char* out, std::vector<BamField>& fields)> put;
};

/// Level -1 is our encoder, on the CPU or, many blocks at a time, on a device, with the same bytes; others are htslib's.
/// Threads: one caller at a time.
class BamCompressor {
 public:
  /// backend: where our encoder runs; asked for with the first piece that is worth it. None: the CPU.
  BamCompressor(int level, int threads, std::function<Backend()> backend);
  ~BamCompressor();

  /// packed: [pieces] or more, whose memory is reused. Throws BackendError.
  void compress(const BamPieces& pieces, std::vector<std::string>& packed);

  /// The empty block that ends a file.
  std::string end_of_file() const;

 private:
  struct Scratch;
  class Slice;

  void ask_for_devices();
  void compress_on_cpu(const BamPieces& pieces, std::size_t begin, std::size_t end, std::vector<std::string>& packed);
  void compress_on_devices(const BamPieces& pieces, std::vector<std::string>& packed);

  const int level_, threads_;
  std::function<Backend()> backend_;  // none: not to be asked, or asked before
  tbb::enumerable_thread_specific<Scratch> scratch_;
  std::vector<std::unique_ptr<Slice>> slices_;  // none: the CPU
};

}  // namespace warpseed::records
