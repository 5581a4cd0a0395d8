// Aligns batches of reads against an index.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "align/align_options.hpp"
#include "align/batch_placer.hpp"
#include "align/group_inserts.hpp"
#include "align/record_maker.hpp"
#include "align/stage_times.hpp"
#include "core/backend.hpp"
#include "index/index_file.hpp"
#include "reads/read_batch.hpp"

namespace warpseed {

/// Sources: seeds as maximal exact matches, chains and affine extension as in Li, arXiv:1303.3997 (bwa mem), on a plain
/// FM-index of the forward strand. Cost: some hundred rank queries a read, and extension cells only around differences.
/// Threads: one caller at a time; the work inside is spread over oneTBB's arena of the caller. The records depend on
/// the index, the options, and the reads in their order alone.
class Aligner {
 public:
  /// `index` must outlive the aligner. With `paired`, reads 2i and 2i + 1 of every batch are mates. Reads are
  /// placed on the backend, pairs and records made on the CPU; the records are the same on every backend. Throws BackendError if the index does not
  /// fit the device.
  Aligner(const Index& index, const AlignOptions& options, bool paired, const Backend& backend = {});
  ~Aligner();

  /// Insert sizes are learnt, by read group, unless they are given here for all.
  void set_insert_models(InsertModels models) { inserts_.give(std::move(models)); }
  const GroupInserts& inserts() const { return inserts_; }

  /// What the stages took so far, over all threads.
  StageTimes stage_times() const;

  /// Insert sizes are looked at anew after so many reads of the input, as long as they are learnt.
  static constexpr std::uint64_t slice_reads = GroupInserts::reads_to_learn_from;

  /// Records of every read of the batch, in its order: the primary one first. Batches must come in input order, of a
  /// multiple of slice_reads but the last, for results to be reproducible.
  std::vector<ReadRecords> align(const ReadBatch& batch);

 private:
  struct Workers;
  std::vector<PairOfChoices> choose_pairs(const ReadBatch& batch);

  const Index& index_;
  const AlignOptions options_;
  const bool paired_;
  GroupInserts inserts_;
  std::uint64_t reads_done_ = 0;
  std::unique_ptr<Workers> workers_;
  std::unique_ptr<BatchPlacer> placer_;
};

}  // namespace warpseed
