// One SAM, BAM or CRAM file being written through htslib, with its index where it has one.
#pragma once

#include <htslib/sam.h>
#include <htslib/thread_pool.h>

#include <memory>
#include <optional>
#include <string>

#include "core/output_file.hpp"
#include "reads/alignment_writer.hpp"

namespace warpseed {

/// Threads that htslib compresses and decompresses with; none when one thread has to do.
class HtsThreads {
 public:
  explicit HtsThreads(int threads);
  hts_tpool* get() const { return pool_.get(); }

  /// Leaves the pool to the process. A file that htslib could not close keeps a thread waiting in it for good; to
  /// destroy the pool under that thread would be worse.
  void leave_running() const noexcept { pool_.release(); }

 private:
  mutable std::unique_ptr<hts_tpool, void (*)(hts_tpool*)> pool_;
};

/// Writes records as they come. Until finish() the file stands beside its final name and the destructor removes it.
class AlignmentFile {
 public:
  /// `threads` must outlive the file. Throws as open_alignments().
  AlignmentFile(const SamHeader& header, const WriterOptions& options, const HtsThreads& threads);
  AlignmentFile(const AlignmentFile&) = delete;
  AlignmentFile& operator=(const AlignmentFile&) = delete;
  ~AlignmentFile();

  void write(const bam1_t* record);

  /// Completes and names the file, then its index.
  void finish();

 private:
  void open(const SamHeader& header, const WriterOptions& options, const HtsThreads& threads);
  void set_reference(const SamHeader& header, const std::string& reference_path);
  void write_header(const SamHeader& header, bool sorted);
  void begin_index(const SamHeader& header);
  void close();
  void abandon() noexcept;
  [[noreturn]] void fail() const;

  PendingFile pending_;
  const HtsThreads& threads_;
  std::optional<PendingFile> pending_index_;
  int descriptor_ = -1;  // htslib's; it closes it
  htsFile* file_ = nullptr;
  std::unique_ptr<sam_hdr_t, void (*)(sam_hdr_t*)> header_{nullptr, sam_hdr_destroy};
};

}  // namespace warpseed
