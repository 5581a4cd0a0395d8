// Writes SAM, BAM, CRAM or PAF, in input order or sorted by coordinate with an index.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/backend.hpp"
#include "records/alignment_record.hpp"
#include "records/library_duplicates.hpp"
#include "records/sam_header.hpp"
#include "records/shard.hpp"

namespace warpseed::records {

enum class AlignmentFormat { sam, bam, cram, paf };

/// Takes "sam", "bam", "cram" or "paf". An empty name selects by the path's extension, SAM if that is unknown.
/// Throws InputError for another name.
AlignmentFormat choose_format(std::string_view name, const std::string& path);

struct WriterOptions {
  std::string path = "-";  // "-" is standard output
  AlignmentFormat format = AlignmentFormat::sam;
  int compression_level = -1;                    // 0 (none) to 9: htslib's; -1: our encoder, its default for CRAM
  int threads = 1;                               // for compression
  bool sort = false;                             // by coordinate, with an index
  std::uint64_t sort_memory_bytes = 1ULL << 30;  // above half of it sorted runs go to disk
  bool mark_duplicates = false;                  // only with `sort`: flag 0x400 by the rule of duplicate_rule.hpp;
                                                 // in a shard left to ShardMerge
  std::string reference_path;                    // FASTA for CRAM; empty: CRAM without reference
  std::function<Backend()> backend = {};         // what sorts keys and compresses BAM; none: the CPU
  std::string temporary_folder = {};             // of sorted runs; empty: next to the output
  std::optional<Shard> shard = {};               // the records are those of a shard, to be merged later
};

/// Threads: one writer at a time.
class AlignmentWriter {
 public:
  virtual ~AlignmentWriter() = default;

  /// Appends records in order. Throws IoError (disk full, closed pipe). If duplicates are marked, a call's records are
  /// those of whole reads, with mates adjacent.
  virtual void write(std::vector<BamRecord> records) = 0;

  /// Writes the records that wait to be sorted; write() must not follow. All counts are 0 without marking.
  virtual DuplicateSummary flush_sorted() { return {}; }

  /// Completes the file (and its index) and renames it, after flush_sorted() if that has not been called.
  /// Without it, no file remains.
  virtual void finish() = 0;
};

/// Throws IoError if the output cannot be opened, InputError for incompatible options,
/// std::invalid_argument for marking duplicates without sorting.
std::unique_ptr<AlignmentWriter> open_alignments(const SamHeader& header, const WriterOptions& options);

}  // namespace warpseed::records
