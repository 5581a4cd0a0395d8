// Places the reads of whole batches: everything that decides about them, on one backend.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "align/align_options.hpp"
#include "align/group_inserts.hpp"
#include "align/pair_core.hpp"
#include "align/placed_read.hpp"
#include "align/stage_times.hpp"
#include "core/backend.hpp"
#include "index/fm_core.hpp"
#include "text/genome_core.hpp"

namespace warpseed {

/// Every backend finds the same alignments and makes the same choices.
/// Threads: one caller at a time; on the CPU the work is spread over oneTBB's arena of the caller.
class BatchPlacer {
 public:
  virtual ~BatchPlacer() = default;

  /// How many reads a batch should have.
  virtual std::uint64_t batch_reads() const = 0;

  /// Finds the ranked alignments of every read of a batch; placed[i].read is given. The reads are numbered from
  /// `first_number`; the number decides between equal places. How reads are put into batches changes no result.
  /// The batch stays where it is until the next one is placed. Throws BackendError if the device fails.
  virtual void place(std::span<PlacedRead> placed, std::uint64_t first_number) = 0;

  /// Looks for lost mates and chooses the places of mates, reads 2i and 2i + 1 of the batch placed last, for reads
  /// [first, end), both even; once for each. groups: their read groups, [end - first]. choices: [(end - first) / 2].
  virtual void choose_pairs(std::uint64_t first, std::uint64_t end, std::span<const std::uint32_t> groups,
                            const GroupInserts& inserts, std::span<PairOfChoices> choices) = 0;

  /// Fills alignments and traits of placed[i], as they are now, for reads [first, end) of the batch placed last.
  virtual void fetch(std::uint64_t first, std::uint64_t end) = 0;

  /// What the stages took so far: of the CPU over all threads, of a device as they follow each other.
  virtual StageTimes times() const = 0;
};

/// `fm`, `genome` and `options` must outlive the placer. Throws BackendError if the index does not fit the device.
std::unique_ptr<BatchPlacer> make_batch_placer(const FmView& fm, const GenomeView& genome, const AlignOptions& options,
                                               const Backend& backend);

}  // namespace warpseed
