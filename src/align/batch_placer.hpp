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
#include "reads/read_batch.hpp"
#include "text/genome_core.hpp"

namespace warpseed {

/// Every backend finds the same alignments and makes the same choices. Holds one batch at a time.
/// Threads: one caller at a time; on the CPU the work is spread over oneTBB's arena of the caller.
class BatchPlacer {
 public:
  virtual ~BatchPlacer() = default;

  /// Finds the ranked alignments of every read of the batch. The reads are numbered from `first_number`; the number
  /// decides between equal places. How reads are put into batches changes no result. Throws BackendError if the device
  /// fails.
  virtual void place(const ReadBatch& batch, std::uint64_t first_number) = 0;

  /// Looks for lost mates and chooses the places of mates, reads 2i and 2i + 1 of the batch, for reads [first, end), both
  /// even, of the batch given last; once for each. choices: [(end - first) / 2].
  virtual void choose_pairs(const ReadBatch& batch, std::uint64_t first, std::uint64_t end, const GroupInserts& inserts,
                            std::span<PairOfChoices> choices) = 0;

  /// Reads [first, end) of the batch as they are placed now. Good until the next call.
  virtual std::span<PlacedRead> reads(std::uint64_t first, std::uint64_t end) = 0;

  /// What the stages took so far: of the CPU over all threads, of a device as they follow each other.
  virtual StageTimes times() const = 0;
};

/// `fm`, `genome` and `options` must outlive the placer. Throws BackendError if the index does not fit the device.
std::unique_ptr<BatchPlacer> make_batch_placer(const FmView& fm, const GenomeView& genome, const AlignOptions& options,
                                               const Backend& backend);

}  // namespace warpseed
