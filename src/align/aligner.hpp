// Aligns batches of reads against an index.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
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

/// A batch of reads and what was found out about them.
struct PlacedBatch {
  std::vector<PlacedRead> reads;
  std::vector<std::uint32_t> groups;   // [reads] read groups
  std::vector<PairOfChoices> choices;  // [reads / 2] of pairs
};

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

  /// Insert sizes are learnt, by read group, unless they are given here for all.
  void set_insert_models(InsertModels models) { inserts_.give(std::move(models)); }
  const GroupInserts& inserts() const { return inserts_; }

  /// What placing took so far.
  StageTimes times() const { return placer_->times(); }

  /// How many reads a batch should have: a multiple of slice_reads.
  std::uint64_t batch_reads() const { return placer_->batch_reads(); }

  /// Insert sizes are looked at anew after so many reads of the input, as long as they are learnt.
  static constexpr std::uint64_t slice_reads = GroupInserts::reads_to_learn_from;

  /// What comes before place(). Threads: any, each with a batch of its own.
  void pack(const ReadBatch& batch, PlacedBatch& placed) const;

  /// Finds where the reads lie. Batches must come in input order, of a multiple of slice_reads but the last, for results
  /// to be reproducible.
  void place(PlacedBatch& placed);

  /// Records of read i of a placed batch, the primary one first; and where it has a mate of read i + 1. Threads: any, each
  /// with a maker of its own.
  RecordMaker record_maker() const { return {index_, options_}; }
  void make_records(const PlacedBatch& placed, std::size_t i, RecordMaker& maker, std::span<ReadRecords> records) const;

  /// All of this for one batch: the records of every read, in its order.
  std::vector<ReadRecords> align(const ReadBatch& batch);

 private:
  void choose_pairs(PlacedBatch& placed);

  const Index& index_;
  const AlignOptions options_;
  const bool paired_;
  GroupInserts inserts_;
  std::uint64_t reads_done_ = 0;
  std::unique_ptr<BatchPlacer> placer_;
};

}  // namespace warpseed
