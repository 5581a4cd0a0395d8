// Aligns the reads of whole batches on one backend: alignments, pairs and their choice.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "align/align_options.hpp"
#include "align/pair/pair_core.hpp"
#include "align/pair/read_group_insert_sizes.hpp"
#include "align/pipeline/read_alignments.hpp"
#include "align/pipeline/stage_times.hpp"
#include "core/backend.hpp"
#include "index/fm_core.hpp"
#include "text/genome_core.hpp"

namespace warpseed::align {

/// Which alignments of a read are fetched: all, or the first ones, as far as records may report them.
enum class FetchScope { all, reported };

/// What the records of plain pairs take from their reads besides the alignments.
struct RecordRequest {
  const reads::ReadBatch* reads = nullptr;                // in the order of the batch
  const std::vector<std::string>* read_groups = nullptr;  // IDs by the reads' group number
  std::span<records::BamRecord> made;                     // [reads] none before; reads that get one have no alignments
};

/// Input for the choice of a batch's primary alignments and pairs, and where the choices go.
struct SelectionRequest {
  bool paired = false;                                       // reads 2i and 2i + 1 are mates
  std::span<const std::uint32_t> groups;                     // [reads] read groups
  std::shared_ptr<const ReadGroupInsertSizes> insert_sizes;  // of mates
  std::span<Choice> choices;                                 // [reads]
  std::optional<RecordRequest> records = {};  // of mates: a backend may make the records of plain pairs, too
};

/// One batch, from the start of its alignment until its results are fetched. Must be destroyed before its batch aligner
/// and its reads. Threads: one caller at a time. Batches must be waited for in the order in which they were begun.
class AlignmentJob {
 public:
  virtual ~AlignmentJob() = default;

  /// Returns when the ranked alignments of every read are known. Throws BackendError if the device failed. Must precede
  /// the calls below.
  virtual void wait() = 0;

  /// Rescues unaligned mates and chooses the alignments of mates, reads 2i and 2i + 1 of the batch, for reads [first,
  /// end), both even; once for each. groups: their read groups, [end - first]. choices: [end - first].
  virtual void choose_pairs(std::uint64_t first, std::uint64_t end, std::span<const std::uint32_t> groups,
                            const ReadGroupInsertSizes& insert_sizes, std::span<Choice> choices) = 0;

  /// Fills alignments and traits of the batch's reads [first, end) in their current state. May return more alignments
  /// than asked for. `reported` includes CIGARs that are cheaper to compute on the backend than on the host.
  virtual void fetch(std::uint64_t first, std::uint64_t end, FetchScope which) = 0;
};

/// Every backend finds the same alignments and makes the same choices.
/// Threads: one caller at a time; on the CPU the work is spread over oneTBB's arena of the caller.
class BatchAligner {
 public:
  virtual ~BatchAligner() = default;

  /// The preferred number of reads per batch.
  virtual std::uint64_t batch_reads() const = 0;

  /// The number of batches processed at the same time.
  virtual unsigned concurrent_batches() const = 0;

  /// Starts to align every read of a batch; aligned[i].read is set. The reads are numbered from `first_number`; the
  /// number breaks ties between equal alignments. Batch boundaries change no result. A batch that must wait for others
  /// does so without blocking the caller. selection: if not null, alignments are chosen and the reported ones fetched
  /// before wait() returns; if null, the caller does so, for mates.
  virtual std::unique_ptr<AlignmentJob> begin(std::span<ReadAlignments> aligned, std::uint64_t first_number,
                                              const SelectionRequest* selection) = 0;

  /// The stage times so far, summed over CPU threads or device batches; valid when no batch is in progress.
  virtual StageTimes times() const = 0;

  /// The smallest number of reads aligned at a time because memory was short; 0 if it never was.
  virtual std::uint64_t shrunk_to() const { return 0; }
};

/// For CUDA, fewer where memory is short: some batches wait or are copied while the kernels of others fill the device.
constexpr unsigned batches_per_device = 6;

/// Reads of a batch for CUDA. Where memory is short a device takes them in parts.
constexpr std::uint64_t device_batch_reads = 4 * ReadGroupInsertSizes::reads_to_learn_from;

/// The most batches that are worked on at the same time by a backend with so many devices; 0 devices: the CPU.
constexpr unsigned max_concurrent_batches(unsigned devices) {
  return devices == 0 ? 1 : batches_per_device * devices;
}

/// Limits for CUDA. A limit of memory holds for this aligner alone, which then has memory of its own, unless the
/// backend has the same limit (limit_device_memory()): then it holds for all work of the backend.
struct AlignerLimits {
  std::uint64_t memory_bytes = 0;            // of each device's memory; 0: as much of the free memory as is useful
  std::uint64_t narrow_rows = narrow_limit;  // with more index rows, hits are sorted by wider keys; tests lower it
};

/// `fm`, `genome` and `options` must outlive the batch aligner. Throws BackendError if the index does not fit, with
/// 128 MiB for the reads where limits.memory_bytes bounds it.
std::unique_ptr<BatchAligner> make_batch_aligner(const index::FmView& fm, const text::GenomeView& genome,
                                                 const AlignOptions& options, const Backend& backend,
                                                 const AlignerLimits& limits = {});

}  // namespace warpseed::align
