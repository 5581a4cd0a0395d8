// Places the reads of whole batches: everything that decides about them, on one backend.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "align/align_options.hpp"
#include "align/pair/pair_core.hpp"
#include "align/pair/read_group_insert_sizes.hpp"
#include "align/pipeline/read_alignments.hpp"
#include "align/pipeline/stage_times.hpp"
#include "core/backend.hpp"
#include "index/fm_core.hpp"
#include "text/genome_core.hpp"

namespace warpseed::align {

/// Which alignments of a read are brought: all, or the first ones, as far as a record may tell of them.
enum class FetchScope { all, reported };

/// All that the places of a batch are chosen by, and where the choices go.
struct SelectionRequest {
  bool paired = false;                                       // reads 2i and 2i + 1 are mates
  std::span<const std::uint32_t> groups;                     // [reads] read groups
  std::shared_ptr<const ReadGroupInsertSizes> insert_sizes;  // of mates
  std::span<Choice> choices;                                 // [reads]
};

/// One batch from the beginning of its placement until what was found is taken. Goes before its placer and its reads.
/// Threads: one caller at a time. Batches must be waited for in the order in which they were begun.
class AlignmentJob {
 public:
  virtual ~AlignmentJob() = default;

  /// Returns when the ranked alignments of every read are known. Throws BackendError if the device failed. To be called
  /// before what follows.
  virtual void wait() = 0;

  /// Looks for lost mates and chooses the places of mates, reads 2i and 2i + 1 of the batch, for reads [first, end), both
  /// even; once for each. groups: their read groups, [end - first]. choices: [end - first].
  virtual void choose_pairs(std::uint64_t first, std::uint64_t end, std::span<const std::uint32_t> groups,
                            const ReadGroupInsertSizes& insert_sizes, std::span<Choice> choices) = 0;

  /// Fills alignments and traits of the batch's reads [first, end), as they are now. More alignments than asked for may
  /// come; with those reported, paths that cost less to find where the reads are than here.
  virtual void fetch(std::uint64_t first, std::uint64_t end, FetchScope which) = 0;
};

/// Every backend finds the same alignments and makes the same choices.
/// Threads: one caller at a time; on the CPU the work is spread over oneTBB's arena of the caller.
class BatchAligner {
 public:
  virtual ~BatchAligner() = default;

  /// How many reads a batch should have.
  virtual std::uint64_t batch_reads() const = 0;

  /// How many batches are worked on at the same time.
  virtual unsigned batches_at_a_time() const = 0;

  /// Begins to look for the alignments of every read of a batch; placed[i].read is given. The reads are numbered from
  /// `first_number`; the number decides between equal places. How reads are put into batches changes no result. A batch
  /// that has to wait for others to go waits without keeping the caller. choosing: where it is known beforehand, places are
  /// chosen and what records tell of is fetched before wait() returns; null: the caller does so, of mates.
  virtual std::unique_ptr<AlignmentJob> begin(std::span<ReadAlignments> aligned, std::uint64_t first_number,
                                              const SelectionRequest* selection) = 0;

  /// What the stages took so far, summed over threads of the CPU or batches on a device; to be asked when no batch is on
  /// its way.
  virtual StageTimes times() const = 0;

  /// The fewest reads that were placed at a time because memory was short; 0 if it never was.
  virtual std::uint64_t shrunk_to() const { return 0; }
};

/// Of a placer with CUDA, fewer where memory is short: some wait or are copied while the kernels of others fill the device.
constexpr unsigned batches_a_device = 4;

/// For a placer with CUDA.
struct AlignerLimits {
  std::uint64_t memory_bytes = 0;            // of each device's memory; 0: of what is free, as much as brings something
  std::uint64_t narrow_rows = narrow_limit;  // of an index with more, hits are sorted by wider keys; tests lower it
};

/// `fm`, `genome` and `options` must outlive the placer. Throws BackendError if the index does not fit, with 128 MiB for the
/// reads where limits.memory_bytes bounds it.
std::unique_ptr<BatchAligner> make_batch_aligner(const index::FmView& fm, const text::GenomeView& genome,
                                                 const AlignOptions& options, const Backend& backend,
                                                 const AlignerLimits& limits = {});

}  // namespace warpseed::align
