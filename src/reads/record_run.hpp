// Sorted runs of records: in memory, on disk, and merged.
#pragma once

#include <htslib/sam.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/backend.hpp"
#include "reads/alignment_record.hpp"
#include "reads/hts_threads.hpp"

struct BGZF;

namespace warpseed {

/// Takes records over, in order, many at a time.
using RecordSink = std::function<void(std::vector<BamRecord>)>;

/// Where a record goes in coordinate order: contig, position, strand; records without a contig last.
/// Records of equal place keep their input order.
inline std::uint64_t place_of(const bam1_t* record) {
  const bam1_core_t& core = record->core;
  if (core.tid < 0) return ~std::uint64_t{0};
  const std::uint64_t position = static_cast<std::uint64_t>(core.pos + 1);  // 32 bits: AlignmentFile sees to it
  return static_cast<std::uint64_t>(core.tid) << 33 | position << 1 | (core.flag & BAM_FREVERSE ? 1 : 0);
}

/// Frees records by many threads: each goes to where it came from, which is far from this one's caches.
void release(std::vector<BamRecord>& records, int threads);

/// Hands the records over in coordinate order, by the keys' order that `backend` finds. Throws BackendError.
void emit_sorted(std::vector<BamRecord> records, const Backend& backend, const RecordSink& sink);

/// A sorted run in a temporary file that has no name, so that nothing can be left of it. Keeps bam1_t::id as well.
class RecordRun {
 public:
  /// Opens an empty run; `path` is the output it belongs to, beside which it lies (in the folder for temporary
  /// files if that is standard output or a device). Throws IoError.
  RecordRun(const std::string& path, const HtsThreads& threads);
  RecordRun(RecordRun&& other) noexcept;
  RecordRun& operator=(RecordRun&& other) noexcept;
  ~RecordRun();

  void write(const std::vector<BamRecord>& records);
  void end_writing();

  /// Reads the next record into current(); false at the end. Only after end_writing().
  bool next();
  bam1_t* current() const { return current_.get(); }

 private:
  void open(const char* mode);
  [[noreturn]] void fail(const char* doing) const;

  std::string folder_;
  hts_tpool* pool_;
  int descriptor_ = -1;
  BGZF* stream_ = nullptr;
  std::unique_ptr<bam1_t, void (*)(bam1_t*)> current_;
};

/// Merges runs whose records came in the order of the runs; each must be ready for next().
void merge_runs(std::vector<RecordRun>& runs, const RecordSink& sink);

}  // namespace warpseed
