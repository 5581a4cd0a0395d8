// Aligns batches of reads against an index.
#pragma once

#include <tbb/enumerable_thread_specific.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "align/align_options.hpp"
#include "align/long_reads/long_read_aligner.hpp"
#include "align/pair/read_group_insert_sizes.hpp"
#include "align/pipeline/batch_aligner.hpp"
#include "align/pipeline/pairs_first.hpp"
#include "align/pipeline/stage_times.hpp"
#include "align/record/plain_pairs.hpp"
#include "align/record/record_builder.hpp"
#include "core/backend.hpp"
#include "core/batch_memory.hpp"
#include "core/huge_pages.hpp"
#include "core/prefetch.hpp"
#include "index/index_file.hpp"
#include "reads/read_batch.hpp"

namespace warpseed::align {

using FutureBatchAligner = std::shared_future<std::unique_ptr<BatchAligner>>;

/// A future that is ready.
FutureBatchAligner ready(std::unique_ptr<BatchAligner> batch_aligner);

/// A part of a batch's pairs, with the insert sizes by which they are chosen.
struct LearnedPart {
  std::uint64_t first = 0, end = 0;  // slots
  std::shared_ptr<const ReadGroupInsertSizes> insert_sizes;
};

/// The memory of reads, or where it begins in that of their batch.
struct ReadMemory {
  std::uint64_t words = 0, codes = 0;
};

/// A batch of reads and their alignments: pairs first, then single reads.
struct AlignmentBatch {
  const reads::ReadBatch* batch = nullptr;  // the reads, if prepare() has filled this
  PairsFirst slots;                         // of the reads
  BatchMemory memory;                       // of the reads' alignments and paths
  HugePageVector<ReadAlignments> reads;     // [slots]
  std::vector<std::uint32_t> groups;        // [slots] read groups
  std::vector<ReadMemory> begins;           // [tasks of reads_per_task() reads]
  HugePageVector<std::uint64_t> words;      // see PackedRead
  HugePageVector<std::uint8_t> codes;       // the same; pages are taken as codes are made
  std::vector<records::BamRecord> records;  // [slots], or empty; made by the backend
  std::vector<Choice> choices;              // [slots]
  std::uint64_t first_single = 0;           // number of the first single read; from begin()
  std::uint64_t in_slice = 0;  // reads of the previous batch in the slice in which this one begins; from begin()
  bool complete = false;       // the job of the pairs already selects and fetches everything
  bool learnt_from = false;    // begin() has done the work of learn()
  std::shared_ptr<const ReadGroupInsertSizes> insert_sizes;  // by which a complete batch selects pairs
  std::vector<LearnedPart> parts;                            // of pairs, from learn() to finish()
  // begin() to finish(); null without such reads. Last: destroyed first.
  std::unique_ptr<AlignmentJob> singles_job, pairs_job;

  /// What records of a read, numbered as in the input, are made of.
  void prefetch(std::uint64_t read) const {
    const std::uint64_t slot = slots.slot_of(read);
    const bam1_t* const made = records.empty() ? nullptr : records[slot].get();
    if (made)
      warpseed::prefetch(made);
    else
      reads[slot].prefetch();
  }
};

/// What of an aligner the records of later reads depend on, between two slices.
struct AlignerState {
  std::uint64_t mates = 0, singles = 0;  // reads of each kind before
  bool one_more = false;                 // they are one more than whole slices
  ReadGroupInsertSizes insert_sizes;
};

class Aligner;

/// A batch that has been through one step of an Aligner. The next step takes it, so the compiler rejects a step that is
/// left out. Owns nothing: the AlignmentBatch must outlive it.
template <class Step>
class BatchAfter {
 private:
  friend class Aligner;
  explicit BatchAfter(AlignmentBatch& batch) : batch_(&batch) {}

  AlignmentBatch* batch_;
};
using PreparedBatch = BatchAfter<struct PrepareStep>;
using BegunBatch = BatchAfter<struct BeginStep>;
using LearnedBatch = BatchAfter<struct LearnStep>;
using AlignedBatch = BatchAfter<struct FinishStep>;

/// Sources: maximal exact matches as seeds, chains and affine extension as in Li, arXiv:1303.3997 (bwa mem), on a plain
/// FM-index of the forward strand. Cost: some hundred rank queries per read, and extension cells only around
/// differences. Threads: one caller at a time; the work runs in the caller's oneTBB arena. The records depend only on
/// the index, the options, and the reads in their order. Single reads among pairs are aligned as without the pairs, and
/// pairs as without single reads but for the insert sizes, which are learnt after as many reads of both.
class Aligner {
 public:
  /// `index` must outlive the aligner. With `paired`, reads 2i and 2i + 1 of every batch are mates, those apart that it
  /// marks as single. The backend aligns reads and pairs, the CPU builds the records; they are the same on every
  /// backend. memory_bytes: limit for each device's memory; 0: all that is free. Throws BackendError if the index does
  /// not fit.
  Aligner(const index::Index& index, const AlignOptions& options, bool paired, const Backend& backend = {},
          std::uint64_t memory_bytes = 0);

  /// With the caller's BatchAligner for the same index and options, which may still be under construction. Until it is
  /// ready, batches can be prepared; an exception of its construction is thrown where it is first needed.
  /// concurrent_batches: at least that of the batch aligner.
  Aligner(const index::Index& index, const AlignOptions& options, bool paired, FutureBatchAligner batch_aligner,
          unsigned concurrent_batches);

  /// Sets insert sizes for all read groups. Otherwise they are learnt per read group.
  void set_insert_sizes(InsertSizeDistributions distributions);
  const ReadGroupInsertSizes& insert_sizes() const { return insert_sizes_; }

  /// Goes on from a state, before set_insert_sizes() and the first batch.
  void resume(AlignerState state);

  /// The stage times so far; valid when no batch is in progress.
  StageTimes times() const;

  /// As in BatchAligner; batch_reads() is a multiple of slice_reads, and as usual for so many concurrent batches until
  /// the batch aligner is ready.
  std::uint64_t batch_reads() const;
  unsigned concurrent_batches() const { return concurrent_batches_; }
  std::uint64_t shrunk_to() const { return batch_aligner().shrunk_to(); }

  /// While insert sizes are learnt, they are updated every time this many reads of the input are aligned.
  static constexpr std::uint64_t slice_reads = ReadGroupInsertSizes::reads_to_learn_from;

  /// The step before begin(). `batch` must stay until the records are made. Throws InputError for a read so long that its
  /// scores would not fit 32 bits. Threads: any, each with its own batch.
  PreparedBatch prepare(const reads::ReadBatch& batch, AlignmentBatch& aligned) const;
  PreparedBatch prepare(reads::ReadBatch&& batch, AlignmentBatch& aligned) const = delete;

  /// A batch, of pairs or of single reads alone, whose reads and groups the caller has filled as prepare() does.
  PreparedBatch prepared(AlignmentBatch& aligned) const;

  /// Starts to align the reads, and to pair them if insert sizes are known already. The first batch with pairs of a read
  /// group is learnt from before this returns, so that the backend can pair those after it. For reproducible results,
  /// batches must come in input order, each with a multiple of slice_reads reads except the last. Where that parts mates,
  /// a batch has one read more, and the next batch one less.
  BegunBatch begin(PreparedBatch prepared);

  /// Waits for the alignments and learns insert sizes from pairs, unless begin() has. Batches in the same order.
  LearnedBatch learn(BegunBatch begun);

  /// Passes over a batch, in the order of begin() and learn(), when all batches before have been learnt from: numbers its
  /// reads, and aligns them only if insert sizes are to be learnt from them.
  void skip(const reads::ReadBatch& batch, AlignmentBatch& memory);

  /// Pairs mates, fetches all results and aligns the long reads. Threads: any, each with its own batch, after its
  /// learn(); later batches may begin and be learnt from meanwhile.
  AlignedBatch finish(LearnedBatch learned) const;

  /// Builds the records of read i of an aligned batch, numbered as in the input, the primary one first, and of its mate
  /// i + 1 unless it is single. Returns of how many reads, 1 or 2. Threads: any, each with its own builder.
  RecordBuilder record_builder() const { return {index_, options_}; }
  std::size_t make_records(AlignedBatch batch, std::size_t i, RecordBuilder& builder,
                           std::span<ReadRecords> records) const;

  /// Read i of an aligned batch and its mate, unless it is single.
  std::optional<AlignedPair> pair_at(AlignedBatch batch, std::size_t i) const;

  /// Lets the backend make the records of plain pairs where it can; see take_records(). Before the first batch, and only
  /// if nothing else is wanted of these pairs: their alignments are not fetched. read_groups: IDs by the reads' group
  /// number.
  void let_backend_make_records(std::vector<std::string> read_groups) {
    if (PlainPairs::fit(options_) && !options_.first_part_primary) plain_read_groups_ = std::move(read_groups);
  }

  /// Moves the records that the backend has made of read i and its mate, a plain pair. False if it has not.
  bool take_records(AlignedBatch batch, std::size_t i, std::vector<records::BamRecord>& to) const;

  /// Makes the records of most pairs faster; nothing where the options ask for more of each record.
  std::optional<PlainPairs> plain_pairs() const;

  /// Builds the records of all reads of an aligned batch and calls use(read, records) for each, from many threads.
  void for_each_records(AlignedBatch batch, const std::function<void(std::size_t, ReadRecords&&)>& use) const;

  /// All steps for one batch: the records of every read, in input order.
  std::vector<ReadRecords> align(const reads::ReadBatch& batch);

 private:
  BatchAligner& batch_aligner() const { return *batch_aligner_.get(); }
  void arrange(const reads::ReadBatch& batch, AlignmentBatch& aligned) const;
  void make_room(const reads::ReadBatch& batch, AlignmentBatch& aligned) const;
  void number(AlignmentBatch& aligned);
  void align_long_reads(AlignmentBatch& aligned) const;
  bool has_new_group(const AlignmentBatch& aligned) const;
  void learn_now(AlignmentBatch& aligned);
  void learn_from_slices(AlignmentBatch& aligned);
  void choose_all_first_parts(AlignmentBatch& aligned) const;
  void publish_insert_sizes();
  std::shared_ptr<const ReadGroupInsertSizes> known_insert_sizes() const;

  const index::Index& index_;
  const AlignOptions options_;
  const bool paired_;
  ReadGroupInsertSizes insert_sizes_;
  mutable std::mutex mutex_;                                        // guards the next member
  std::shared_ptr<const ReadGroupInsertSizes> known_insert_sizes_;  // as of the last publish_insert_sizes()
  std::optional<std::vector<std::string>> plain_read_groups_;       // see let_backend_make_records()
  std::uint64_t mates_begun_ = 0, singles_begun_ = 0;
  std::atomic<unsigned> to_be_learnt_from_{0};  // batches between begin() and learn()
  std::uint64_t in_slice_ = 0;                  // reads of the last batch in the slice in which the next one begins
  const FutureBatchAligner batch_aligner_;
  const unsigned concurrent_batches_;
  mutable tbb::enumerable_thread_specific<LongReadAligner> long_aligners_;  // one per thread, created on first use
};

}  // namespace warpseed::align
