// Aligns batches of reads against an index.
#pragma once

#include <cstdint>
#include <future>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "align/align_options.hpp"
#include "align/pair/read_group_insert_sizes.hpp"
#include "align/pipeline/batch_aligner.hpp"
#include "align/pipeline/stage_times.hpp"
#include "align/record/record_builder.hpp"
#include "core/backend.hpp"
#include "core/huge_pages.hpp"
#include "index/index_file.hpp"
#include "reads/read_batch.hpp"

namespace warpseed::align {

using FutureBatchAligner = std::shared_future<std::unique_ptr<BatchAligner>>;

/// A part of a batch whose pairs are chosen by what was known of insert sizes then.
struct LearnedPart {
  std::uint64_t first = 0, end = 0;  // reads
  std::shared_ptr<const ReadGroupInsertSizes> insert_sizes;
};

/// A batch of reads and what was found out about them.
struct AlignmentBatch {
  std::vector<ReadAlignments, HugePageAllocator<ReadAlignments>> reads;
  std::vector<std::uint32_t> groups;  // [reads] read groups
  std::vector<std::uint64_t> begins;  // [reads] where the codes of each begin in what follows
  std::vector<std::uint64_t, HugePageAllocator<std::uint64_t>> codes;  // see PackedRead
  std::vector<Choice> choices;                                         // [reads]
  bool complete = false;                                               // with its placement nothing is left to do
  std::vector<LearnedPart> parts;                                      // of pairs, from learn() to finish()
  std::unique_ptr<AlignmentJob> job;                                   // from begin() to finish(); last: it goes first
};

/// Sources: seeds as maximal exact matches, chains and affine extension as in Li, arXiv:1303.3997 (bwa mem), on a plain
/// FM-index of the forward strand. Cost: some hundred rank queries a read, and extension cells only around differences.
/// Threads: one caller at a time; the work inside is spread over oneTBB's arena of the caller. The records depend on
/// the index, the options, and the reads in their order alone.
class Aligner {
 public:
  /// `index` must outlive the aligner. With `paired`, reads 2i and 2i + 1 of every batch are mates. Reads and pairs are
  /// placed on the backend, records made on the CPU; they are the same on every backend. memory_bytes: what may be
  /// taken of each device's memory; 0: what is free. Throws BackendError if the index does not fit.
  Aligner(const index::Index& index, const AlignOptions& options, bool paired, const Backend& backend = {},
          std::uint64_t memory_bytes = 0);

  /// With a placer of the caller's for the same index and options, which may still be being made. Until it is there
  /// batches are packed, in batches of slice_reads; what making it throws comes out where it is asked for.
  /// batches_at_a_time: of that placer, at least.
  Aligner(const index::Index& index, const AlignOptions& options, bool paired, FutureBatchAligner batch_aligner,
          unsigned batches_at_a_time);

  /// Insert sizes are learnt, by read group, unless they are given here for all.
  void set_insert_sizes(InsertSizeDistributions distributions);
  const ReadGroupInsertSizes& insert_sizes() const { return insert_sizes_; }

  /// What placing took so far; to be asked when no batch is on its way.
  StageTimes times() const { return batch_aligner().times(); }

  /// As BatchAligner says; batch_reads() is a multiple of slice_reads, which it is as long as there is no placer.
  std::uint64_t batch_reads() const;
  unsigned batches_at_a_time() const { return batches_at_a_time_; }
  std::uint64_t shrunk_to() const { return batch_aligner().shrunk_to(); }

  /// Insert sizes are looked at anew after so many reads of the input, as long as they are learnt.
  static constexpr std::uint64_t slice_reads = ReadGroupInsertSizes::reads_to_learn_from;

  /// What comes before begin(). Throws InputError for a read that is so long that scores would not fit 32 bits. Threads: any, each with a batch of its own.
  void pack(const reads::ReadBatch& batch, AlignmentBatch& aligned) const;

  /// Begins to find where the reads lie, and to pair them where insert sizes are learnt already. Batches must come in input
  /// order, of a multiple of slice_reads but the last, for results to be reproducible.
  void begin(AlignmentBatch& aligned);

  /// Waits until they are found and learns insert sizes from pairs. Batches in the same order.
  void learn(AlignmentBatch& aligned);

  /// Pairs mates and brings everything here. Threads: any, each with a batch of its own that has been learnt from; while
  /// later batches begin and are learnt from.
  void finish(AlignmentBatch& aligned) const;

  /// Records of read i of a placed batch, the primary one first; and where it has a mate of read i + 1. Threads: any, each
  /// with a maker of its own.
  RecordBuilder record_builder() const { return {index_, options_}; }
  void make_records(const AlignmentBatch& aligned, std::size_t i, RecordBuilder& builder,
                    std::span<ReadRecords> records) const;

  /// All of this for one batch: the records of every read, in its order.
  std::vector<ReadRecords> align(const reads::ReadBatch& batch);

 private:
  BatchAligner& batch_aligner() const { return *batch_aligner_.get(); }
  void publish_insert_sizes();
  std::shared_ptr<const ReadGroupInsertSizes> known_insert_sizes() const;

  const index::Index& index_;
  const AlignOptions options_;
  const bool paired_;
  ReadGroupInsertSizes insert_sizes_;
  mutable std::mutex mutex_;                                        // for what follows
  std::shared_ptr<const ReadGroupInsertSizes> known_insert_sizes_;  // as they were at the last publish_insert_sizes()
  std::uint64_t reads_begun_ = 0;
  const FutureBatchAligner batch_aligner_;
  const unsigned batches_at_a_time_;
};

}  // namespace warpseed::align
